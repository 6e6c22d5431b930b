// Brings the drawn charts to life: they fit their column and tell what is under the pointer. Without it the page still reads.
(() => {
  const { parse, View, expressionInterpreter } = globalThis.vega;
  const charts = JSON.parse(document.getElementById('chart-data').textContent);
  const tip = document.getElementById('tip');

  function showTip(_, event, __, value) {
    tip.hidden = value === null || value === undefined || value === '';
    if (tip.hidden) return;
    tip.replaceChildren(
      ...Object.entries(value).flatMap(([name, text]) => {
        const term = document.createElement('dt');
        const detail = document.createElement('dd');
        term.textContent = name;
        detail.textContent = text;
        return [term, detail];
      }),
    );
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - width - 8);
    const isBelow = event.clientY + 14 + height < document.documentElement.clientHeight;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${isBelow ? event.clientY + 14 : event.clientY - height - 14}px`;
  }

  function enliven(drawing) {
    const spec = charts[drawing.dataset.chart];
    const margin = drawing.querySelector('svg').viewBox.baseVal.width - spec.width;
    const fitted = () => Math.max(200, Math.floor(drawing.clientWidth - margin));
    const live = document.createElement('div');
    const view = new View(parse(spec, undefined, { ast: true }), { renderer: 'svg', expr: expressionInterpreter, hover: false });
    view.tooltip(showTip).width(fitted()).initialize(live);
    view.runAsync().then(() => {
      drawing.replaceChildren(live);
      drawing.classList.add('live');
      performance.mark('alive');
      let width = view.width();
      new ResizeObserver(() => {
        if (fitted() === width) return;
        width = fitted();
        view.width(width).runAsync();
      }).observe(drawing);
    });
  }

  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        enliven(target);
      }
    },
    { rootMargin: '400px' },
  );
  for (const drawing of document.querySelectorAll('[data-chart]')) seen.observe(drawing);
  addEventListener('scroll', () => (tip.hidden = true), { passive: true });
})();
