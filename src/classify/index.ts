// Says of an answer what it means: kind, reason, advice.
export { classify } from './classify.ts';
export { allRules, explain, type RuleInWords } from './explain.ts';
export { answeredWell } from './kinds.ts';
