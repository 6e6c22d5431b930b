// Brings the page to life: charts fit their column and tell what is under the pointer, and whatever is chosen (a stretch of time, kinds,
// clients, targets, storms, words) reaches every figure, chart and table and stands in the address. Without it the page still reads. It runs
// in a function of its own, beside `slicing`, the functions of slice.js.
const { parse, View, expressionInterpreter } = globalThis.vega;
const { specs, live, data } = JSON.parse(document.getElementById('page-data').textContent);
const tip = document.getElementById('tip');
const bar = document.getElementById('filters');
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const count = (n) => Math.round(n).toLocaleString('en-US');
const requestsWord = (n) => `${count(n)} ${n === 1 ? 'request' : 'requests'}`;

// --- What is chosen, and its form in the address

const LISTS = data === null ? {} : { kinds: data.kinds, clients: data.clients, targets: data.targets, storms: data.storms };
const WORDS = { kinds: 'kind', clients: 'client', targets: 'target', storms: 'storm' };
let filter = slicing.everything();

const iso = (us) => new Date(us / 1000).toISOString();
const timeOf = (text) => {
  const ms = Date.parse(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(ms) ? null : ms * 1000;
};

function toFragment() {
  const words = new URLSearchParams();
  if (filter.from !== null) words.set('from', iso(filter.from));
  if (filter.to !== null) words.set('to', iso(filter.to));
  for (const [list, names] of Object.entries(LISTS)) for (const i of filter[list]) words.append(WORDS[list], names[i]);
  if (filter.text !== '') words.set('text', filter.text);
  const text = words.toString();
  return text === '' ? '' : `#?${text}`;
}

function fromFragment(fragment) {
  const words = new URLSearchParams(fragment.startsWith('#?') ? fragment.slice(2) : '');
  const found = slicing.everything();
  found.from = snapped(timeOf(words.get('from') ?? ''), Math.floor);
  found.to = snapped(timeOf(words.get('to') ?? ''), Math.ceil);
  for (const [list, names] of Object.entries(LISTS)) {
    for (const name of words.getAll(WORDS[list])) if (names.includes(name)) found[list].add(names.indexOf(name));
  }
  found.text = words.get('text') ?? '';
  return found;
}

// Requests are counted in steps of time, so a stretch begins and ends with one.
const snapped = (us, round) => (us === null || data.bucket_us === 0 ? us : round(us / data.bucket_us) * data.bucket_us);

function change(part) {
  const wished = { ...filter, ...part };
  filter = { ...wished, from: snapped(wished.from, Math.floor), to: snapped(wished.to, Math.ceil) };
  const { pathname, search } = location;
  history.replaceState(null, '', toFragment() || pathname + search);
  show();
}

function toggle(list, i) {
  const chosen = new Set(filter[list]);
  if (!chosen.delete(i)) chosen.add(i);
  change({ [list]: chosen });
}

// --- Rows of each chart under a filter

const isUpper = data && slicing.isKindOf([...data.refusals, ...data.failures].map((k) => data.kinds[k]));
const initial = (name, dataset) => specs[name].data.find((each) => each.name === dataset)?.values ?? [];
const within = (rows, first, ...fields) =>
  rows.filter((row) => fields.every((field) => first.some((each) => each[field] === row[field])));

// Marks without height at both ends keep the whole log in sight, whatever is chosen of it.
const ends =
  data === null || data.steps.length === 0
    ? []
    : [data.steps[0], data.steps.at(-1) + data.bucket_us].map((ts) => ({
        start: ts / 1000,
        end: ts / 1000,
        kind: data.kinds[0],
        requests: 0,
        base: 0,
        top: 0,
      }));

function overTime(which) {
  const rows = slicing.requestsOverTime(data, slicing.requestsIn(data, { ...filter, from: null, to: null }));
  const kinds = rows.filter((row) => isUpper(row) === (which === 'refused'));
  return [...slicing.stacked(kinds, data.bucket_us), ...ends];
}

const ROWS = {
  refused: () => overTime('refused'),
  others: () => overTime('others'),
  gate: (rows) => {
    const { lower, upper } = slicing.figuresOf(data, rows);
    return slicing.gateRows(slicing.savingsBy(data, rows), upper - lower, data.colours);
  },
  lanes: (rows, first) => within(slicing.laneMarks(data, rows), first, 'lane'),
  refusals: (rows, first) =>
    within(slicing.refusalCells(data, rows), first, 'client').filter(({ target }) =>
      first.some((cell) => cell.target === target),
    ),
  gaps: () => slicing.waitMarks(data, slicing.retriesIn(data, filter)),
  attempts: () => slicing.attemptBars(slicing.attemptsIn(data, filter)),
  stability: (rows, first) => within(slicing.stabilityBars(data, rows), first, 'target'),
  path: (_, first) => first.filter(isMarkIn),
};

// A mark of a path knows its own time, kind and target; which client's it is, its storm says.
function isMarkIn({ at, kind, target, status }) {
  const { from, to, kinds, targets } = filter;
  const isTimed = from === null && to === null ? true : (from === null || at * 1000 >= from) && (to === null || at * 1000 < to);
  const isKind = kinds.size === 0 || kinds.has(data.kinds.indexOf(kind));
  return isTimed && isKind && status !== undefined && (targets.size === 0 || targets.has(data.targets.indexOf(target)));
}

const whole = data && slicing.figuresOf(data, data.requests).requests;
const views = new Map();

function feed(view, name, rows) {
  for (const [what, dataset] of Object.entries(live[name])) view.data(dataset, ROWS[what](rows, initial(name, dataset)));
}

// --- Showing it

const MARKS = { requests: 'requests', refused: 'refused', 'failed for now': 'failed', avoidable: 'avoidable', harm: 'harm' };
const titles = new Map(all('figcaption h3').map((title) => [title, title.textContent]));
const cellsOf = (row) => {
  const heads = all('th', row.closest('table')).map((head) => head.textContent.trim());
  return new Map([...row.cells].map((cell, i) => [heads[i], cell]));
};
const rowCells = new Map(all('tr[data-client], tr[data-target], tr[data-saving]').map((row) => [row, cellsOf(row)]));
const searches = new Map();
const isSought = (row) => row.textContent.toLowerCase().includes(searches.get(row.closest('table')) ?? '');

function set(element, isShown) {
  element.hidden = !isShown;
}

function showTotals(rows, which) {
  const totals = slicing.totalsBy(rows, slicing.COLUMNS[which], data);
  const nothing = { requests: 0, refused: 0, failed: 0, avoidable: 0, harm: 0 };
  for (const row of all(`tr[data-${which}]`)) {
    const total = totals.get(Number(row.dataset[which])) ?? nothing;
    for (const [head, field] of Object.entries(MARKS)) rowCells.get(row).get(head).textContent = count(total[field]);
    set(row, total.requests > 0 && isSought(row));
  }
}

function showFigures({ requests, refused, lower, upper, harm, throttled, transient }) {
  const range = lower === upper ? count(upper) : `${count(lower)}–${count(upper)}`;
  const values = {
    requests: count(requests),
    'refused-for-good': count(refused),
    avoidable: range,
    harm: count(harm),
    throttled: count(throttled),
    transient: count(transient),
  };
  for (const box of all('[data-figure]')) {
    const value = box.querySelector('.value');
    box.dataset.whole ??= value.textContent;
    const isHidden = box.dataset.whole === '–';
    value.textContent = slicing.isFiltering(filter) && !isHidden ? values[box.dataset.figure] : box.dataset.whole;
    const note = box.querySelector('.about');
    note.dataset.whole ??= note.textContent;
    note.textContent = slicing.isFiltering(filter) && !isHidden ? `in view, of ${box.dataset.whole}` : note.dataset.whole;
  }
}

function showSavings(rows) {
  const savings = new Map(slicing.savingsBy(data, rows).map((row) => [row.kind, row]));
  for (const row of all('tr[data-saving]')) {
    const saving = savings.get(row.dataset.saving) ?? { requests: 0, under_gate: 0, avoidable: 0, harm: 0 };
    const cells = rowCells.get(row);
    for (const [head, field] of [
      ['sent', 'requests'],
      ['under the gate', 'under_gate'],
      ['avoidable', 'avoidable'],
      ['harm', 'harm'],
    ])
      cells.get(head).textContent = count(saving[field]);
    set(row, saving.requests > 0 && isSought(row));
  }
}

function showStorms(rows) {
  const totals = slicing.totalsBy(rows, slicing.COLUMNS.storm, data);
  const isIn = (id) => !slicing.isFiltering(filter) || (totals.get(data.storms.indexOf(id))?.requests ?? 0) > 0;
  for (const element of all('[data-storm]'))
    set(element, isIn(element.dataset.storm) && (element.tagName !== 'TR' || isSought(element)));
}

const textFound = (element) => filter.text === '' || element.textContent.toLowerCase().includes(filter.text.toLowerCase());
const clientFound = (places) => filter.clients.size === 0 || places.some((place) => filter.clients.has(place));

function showOthers() {
  for (const finding of all('.finding')) {
    const places = finding.dataset.clients === '' ? [] : finding.dataset.clients.split(' ').map(Number);
    set(finding, clientFound(places) && textFound(finding));
  }
  for (const row of all('tr[data-session]')) {
    const { session, start, end } = row.dataset;
    const isTimed = filter.from === null && filter.to === null;
    const overlaps =
      start !== undefined &&
      (filter.to === null || Number(start) < filter.to) &&
      (filter.from === null || Number(end) >= filter.from);
    set(row, clientFound([Number(session)]) && (isTimed || overlaps) && textFound(row) && isSought(row));
  }
  for (const table of all('table')) {
    if (['clients', 'targets', 'savings', 'storms', 'sessions'].includes(table.dataset.table)) continue;
    for (const row of table.tBodies[0].rows) set(row, isSought(row));
  }
}

function chip(words, remove) {
  const button = make('button', { type: 'button', textContent: words, title: 'take it away' });
  button.addEventListener('click', remove);
  return make('li', {}, button);
}

function showBar(inView) {
  const chips = Object.entries(LISTS).flatMap(([list, names]) =>
    [...filter[list]].map((i) => chip(`${WORDS[list]}: ${names[i]}`, () => toggle(list, i))),
  );
  if (filter.from !== null || filter.to !== null) {
    const words = [filter.from, filter.to].map((us) => (us === null ? '…' : iso(us).slice(0, 19).replace('T', ' ')));
    chips.unshift(chip(`time: ${words.join(' to ')}`, () => change({ from: null, to: null })));
  }
  if (filter.text !== '') chips.push(chip(`text: ${filter.text}`, () => change({ text: '' })));
  bar.querySelector('.chips').replaceChildren(...chips);
  const fields = bar.elements;
  fields.clear.hidden = !slicing.isFiltering(filter);
  if (document.activeElement !== fields.text) fields.text.value = filter.text;
  for (const end of ['from', 'to'])
    if (document.activeElement !== fields[end]) fields[end].value = filter[end] === null ? '' : iso(filter[end]).slice(0, 19);
  bar.querySelector('.status').textContent = slicing.isFiltering(filter)
    ? `${count(inView)} of ${requestsWord(whole)} in view`
    : '';
  for (const view of all('figure .view')) {
    set(view, slicing.isFiltering(filter));
    view.textContent = `Drawn for the ${requestsWord(inView)} in view; the title speaks of the whole log.`;
  }
  for (const pick of all('[data-pick]')) {
    const [list, i] = pick.dataset.pick.split(':');
    pick.setAttribute('aria-pressed', String(filter[list].has(Number(i))));
  }
}

function show() {
  if (data === null) {
    showOthers();
    return;
  }
  const rows = slicing.requestsIn(data, filter);
  const figures = slicing.figuresOf(data, rows);
  showFigures(figures);
  showTotals(rows, 'client');
  showTotals(rows, 'target');
  showSavings(rows);
  showStorms(rows);
  showOthers();
  showBar(figures.requests);
  for (const [name, view] of views) {
    feed(view, name, rows);
    view.runAsync().then(() => showBand(name));
  }
  performance.mark('shown');
}

// --- Choosing

function pickable(element, list, i, words) {
  element.dataset.pick = `${list}:${i}`;
  element.setAttribute('role', 'button');
  element.setAttribute('aria-pressed', 'false');
  element.setAttribute('aria-label', `only ${words}`);
  element.tabIndex = 0;
  const choose = () => toggle(list, i);
  element.addEventListener('click', choose);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose();
  });
}

function offerPicks() {
  for (const kind of all('.kind[data-kind]')) pickable(kind, 'kinds', data.kinds.indexOf(kind.dataset.kind), kind.dataset.kind);
  for (const [which, list] of [
    ['client', 'clients'],
    ['target', 'targets'],
  ]) {
    for (const row of all(`tr[data-${which}]`)) {
      const i = Number(row.dataset[which]);
      pickable(
        row.cells[0].firstElementChild ?? row.cells[0].appendChild(make('span', {}, ...row.cells[0].childNodes)),
        list,
        i,
        data[list][i],
      );
    }
  }
  for (const storm of all('article[data-storm]')) {
    const i = data.storms.indexOf(storm.dataset.storm);
    if (i < 0) continue;
    const button = make('span', { className: 'only', textContent: 'only this storm' });
    pickable(button, 'storms', i, `storm ${storm.querySelector('.eyebrow').textContent}`);
    storm.querySelector('.anchor').before(button);
  }
}

function offerFields() {
  const { text, from, to, clear, command, link } = bar.elements;
  bar.addEventListener('submit', (event) => event.preventDefault());
  text.addEventListener('input', () => change({ text: text.value.trim() }));
  from.addEventListener('change', () => change({ from: timeOf(from.value) }));
  to.addEventListener('change', () => change({ to: timeOf(to.value) }));
  clear.addEventListener('click', () => change(slicing.everything()));
  link.addEventListener('click', () => copy(link, location.href));
  command.addEventListener('click', () => {
    const { text: words, without } = commandOf();
    copy(command, words, without);
  });
  addEventListener('hashchange', () => {
    if (!location.hash.startsWith('#?') && location.hash !== '') return;
    filter = fromFragment(location.hash);
    show();
  });
  bar.hidden = false;
  new ResizeObserver(keepClear).observe(bar);
}

// What an anchor leads to stands below the bar, however many lines of chips it has.
function keepClear() {
  const isStuck = getComputedStyle(bar).position === 'sticky';
  document.documentElement.style.scrollPaddingTop = isStuck ? `${bar.offsetHeight + 16}px` : '';
}

async function copy(button, text, without = []) {
  // A second click may come while the button still says what the first one did.
  button.dataset.label ??= button.textContent;
  bar.dataset.copied = text;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make('textarea', { value: text });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.textContent = without.length === 0 ? 'Copied' : `Copied, but for the choice of ${without.join(' and ')}`;
  setTimeout(() => (button.textContent = button.dataset.label), 1500);
}

// --- The same slice on the command line

const shell = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
const sql = (text) => `'${text.replaceAll("'", "''")}'`;

const TARGET = "CONCAT_WS(' ', http_method, path, rpc_method, rpc_name, authority)";

// What a command can ask for: names as the log has them. All others together, and names too long to carry, have none.
function keysOf(list) {
  const keys = [...filter[list]].map((i) => data.keys[list][i] ?? null);
  return keys.includes(null) ? null : keys;
}

function commandOf() {
  const inputs = data.inputs.length > 0 ? data.inputs.map(shell).join(' ') : 'FILES…';
  const known = { clients: keysOf('clients'), targets: keysOf('targets'), storms: filter.storms.size > 0 ? null : [] };
  const without = Object.keys(known).filter((list) => known[list] === null);
  const { clients, targets } = { clients: known.clients ?? [], targets: known.targets ?? [] };
  const needle = sql(filter.text.toLowerCase());
  const flags = [
    filter.from !== null && `--since ${iso(filter.from)}`,
    filter.to !== null && `--until ${iso(filter.to)}`,
    clients.length === 1 && `--client ${shell(clients[0])}`,
  ].filter(Boolean);
  const tests = [
    filter.kinds.size > 0 && `kind IN (${[...filter.kinds].map((i) => sql(data.kinds[i])).join(', ')})`,
    clients.length > 1 && `client IN (${clients.map(sql).join(', ')})`,
    targets.length > 0 && `${TARGET} IN (${targets.map(sql).join(', ')})`,
    filter.text !== '' && `(POSITION(${needle} IN LOWER(client)) > 0 OR POSITION(${needle} IN LOWER(${TARGET})) > 0)`,
  ].filter(Boolean);
  const select = `SELECT * FROM requests_tagged WHERE ${tests.join(' AND ')} ORDER BY ts, source, line`;
  const words =
    tests.length === 0 ? ['stormgate report', inputs, ...flags] : ['stormgate query', inputs, ...flags, '--sql', shell(select)];
  return { text: words.join(' '), without };
}

// --- Tables: sorting, searching, saving

const numberOf = (text) => (/^[\d,]+$/.test(text) ? Number(text.replaceAll(',', '')) : null);
const compare = (a, b) => {
  const [m, n] = [numberOf(a), numberOf(b)];
  return m !== null && n !== null ? m - n : a.localeCompare(b, 'en', { numeric: true });
};

function sortBy(table, i, button) {
  const isNumeric = table.tBodies[0].rows[0]?.cells[i]?.classList.contains('n');
  const before = button.dataset.order ?? (isNumeric ? 'ascending' : 'descending');
  const order = before === 'ascending' ? 'descending' : 'ascending';
  for (const head of all('th', table)) {
    head.removeAttribute('aria-sort');
    delete head.querySelector('button')?.dataset.order;
  }
  button.dataset.order = order;
  button.closest('th').setAttribute('aria-sort', order);
  const sign = order === 'ascending' ? 1 : -1;
  const textOf = (row) => row.cells[i].textContent.trim();
  table.tBodies[0].append(...[...table.tBodies[0].rows].toSorted((a, b) => sign * compare(textOf(a), textOf(b))));
}

const inert = (text) => (/^ *[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text);
const csvCell = (shown) => {
  const text = numberOf(shown) === null ? inert(shown) : shown.replaceAll(',', '');
  return /^[\w.:/ -]*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
};

function csvOf(table) {
  const heads = all('th', table)
    .map((head, i) => [head.textContent.trim(), i])
    .filter(([name]) => name !== '');
  const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
  const lines = [
    heads.map(([name]) => csvCell(name)),
    ...rows.map((row) => heads.map(([, i]) => csvCell(row.cells[i].textContent.trim()))),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function equip(table) {
  const { table: name } = table.dataset;
  all('th', table).forEach((head, i) => {
    const title = head.textContent.trim();
    if (title === '') return;
    const button = make('button', { type: 'button', textContent: title });
    button.addEventListener('click', () => sortBy(table, i, button));
    head.replaceChildren(button);
  });
  const label = table.parentElement.getAttribute('aria-label');
  const csv = make('button', { type: 'button', textContent: 'CSV' });
  csv.setAttribute('aria-label', `save as CSV: ${label}`);
  csv.addEventListener('click', () => save(`${name}.csv`, csvOf(table), 'text/csv'));
  const tools = make('div', { className: 'tools' }, csv);
  if (table.tBodies[0].rows.length > 7) {
    const search = make('input', { type: 'search', placeholder: 'search this table' });
    search.setAttribute('aria-label', `search: ${label}`);
    search.addEventListener('input', () => {
      searches.set(table, search.value.trim().toLowerCase());
      show();
    });
    tools.prepend(search);
  }
  table.parentElement.before(tools);
}

// --- Charts

// The event of a scroll that is over may come after a tip was shown; such a tip stays.
let tippedAt = 0;

function showTip(_, event, __, value) {
  tippedAt = scrollY;
  tip.hidden = value === null || value === undefined || value === '';
  if (tip.hidden) return;
  tip.replaceChildren(
    ...Object.entries(value).flatMap(([name, text]) => [make('dt', { textContent: name }), make('dd', { textContent: text })]),
  );
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - width - 8);
  const isBelow = event.clientY + 14 + height < document.documentElement.clientHeight;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${isBelow ? event.clientY + 14 : event.clientY - height - 14}px`;
}

// A click on a mark chooses what it stands for, the most telling first.
function chooseMark(datum) {
  const { lane, client, target, kind, name } = datum ?? {};
  const clientNo = data.clients.indexOf(client ?? lane);
  const targetNo = data.targets.indexOf(target);
  if (clientNo >= 0) toggle('clients', clientNo);
  if (targetNo >= 0) toggle('targets', targetNo);
  if (clientNo < 0 && targetNo < 0 && data.kinds.includes(kind ?? name)) toggle('kinds', data.kinds.indexOf(kind ?? name));
}

function enliven(drawing) {
  const name = drawing.dataset.chart;
  const spec = specs[name];
  const margin = drawing.querySelector('svg').viewBox.baseVal.width - (spec.width ?? 0);
  const isWide = spec.width !== undefined;
  const fitted = () => Math.max(200, Math.floor(drawing.clientWidth - margin));
  const stage = make('div');
  const view = new View(parse(spec, undefined, { ast: true }), { renderer: 'svg', expr: expressionInterpreter, hover: false });
  view.tooltip(showTip);
  if (isWide) view.width(fitted());
  view.initialize(stage);
  if (data !== null) feed(view, name, slicing.requestsIn(data, filter));
  view.runAsync().then(() => {
    drawing.replaceChildren(stage);
    drawing.classList.add('live');
    views.set(name, view);
    performance.mark('alive');
    if (data !== null) {
      if (name === 'timeline') offerBrush(drawing, view);
      else view.addEventListener('click', (_, item) => chooseMark(item?.datum));
      showBand(name);
    }
    let width = view.width();
    new ResizeObserver(() => {
      if (!isWide || fitted() === width) return;
      width = fitted();
      view
        .width(width)
        .runAsync()
        .then(() => showBand(name));
    }).observe(drawing);
  });
}

// --- Brushing the timeline

let brushed;

function frameOf({ drawing, view }) {
  const matrix = drawing.querySelector('svg g.role-scope > g, svg g.root > g').getScreenCTM();
  const left = drawing.getBoundingClientRect().left;
  const scale = view.scale('x');
  const pixel = (ms) => matrix.e + matrix.a * scale(ms) - left;
  const [first, last] = scale.range();
  const moment = (clientX) => Number(scale.invert(Math.min(last, Math.max(first, (clientX - matrix.e) / matrix.a))));
  return { pixel, moment };
}

function offerBrush(drawing, view) {
  const band = make('div', { className: 'band', hidden: true });
  drawing.append(band);
  drawing.classList.add('brush');
  brushed = { drawing, view, band };
  let start = null;
  drawing.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    start = event.clientX;
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener('pointermove', (event) => {
    if (start === null) return;
    event.preventDefault();
    const { moment } = frameOf(brushed);
    placeBand(...[moment(start), moment(event.clientX)].toSorted((a, b) => a - b));
  });
  const end = (event) => {
    if (start === null) return;
    const { moment } = frameOf(brushed);
    const [from, to] = [moment(start), moment(event.clientX)].toSorted((a, b) => a - b);
    const isClick = Math.abs(event.clientX - start) < 4;
    start = null;
    if (!isClick) change({ from: Math.floor(from) * 1000, to: Math.ceil(to) * 1000 });
    else if (filter.from !== null || filter.to !== null) change({ from: null, to: null });
  };
  drawing.addEventListener('pointerup', end);
  drawing.addEventListener('pointercancel', () => {
    start = null;
    showBand('timeline');
  });
}

function placeBand(from, to) {
  const { pixel } = frameOf(brushed);
  brushed.band.hidden = false;
  brushed.band.style.left = `${pixel(from)}px`;
  brushed.band.style.width = `${Math.max(2, pixel(to) - pixel(from))}px`;
}

function showBand(name) {
  if (name !== 'timeline' || brushed === undefined) return;
  const { from, to } = filter;
  brushed.band.hidden = from === null && to === null;
  if (brushed.band.hidden) return;
  const [first, last] = brushed.view.scale('x').domain().map(Number);
  const clamp = (ms) => Math.min(last, Math.max(first, ms));
  placeBand(from === null ? first : clamp(from / 1000), to === null ? last : clamp(to / 1000));
}

// --- Pictures

function offerPictures(figure) {
  const drawing = figure.querySelector('[data-chart]');
  const name = drawing.dataset.chart;
  const still = async () => {
    const view = new View(parse({ ...specs[name], background: '#ffffff' }, undefined, { ast: true }), {
      renderer: 'none',
      expr: expressionInterpreter,
    });
    if (data !== null) feed(view, name, slicing.requestsIn(data, filter));
    return view.runAsync();
  };
  const ways = {
    SVG: async () => save(`${name}.svg`, await (await still()).toSVG(), 'image/svg+xml'),
    PNG: async () => (await (await still()).toCanvas(2)).toBlob((picture) => save(`${name}.png`, picture, 'image/png')),
  };
  const buttons = Object.entries(ways).map(([format, way]) => {
    const button = make('button', { type: 'button', textContent: format });
    button.setAttribute('aria-label', `save as ${format}: ${titles.get(figure.querySelector('h3'))}`);
    button.addEventListener('click', way);
    return button;
  });
  figure.querySelector('figcaption').after(make('div', { className: 'tools' }, ...buttons));
}

// --- Begin

all('table[data-table]').forEach(equip);
all('figure').forEach(offerPictures);
if (data !== null) {
  offerPicks();
  offerFields();
  filter = fromFragment(location.hash);
  show();
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
for (const drawing of all('[data-chart]')) seen.observe(drawing);
addEventListener('scroll', () => scrollY !== tippedAt && set(tip, false), { passive: true });
addEventListener('beforeprint', () => all('details').forEach((details) => (details.open = true)));
