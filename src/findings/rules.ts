// Findings that are no storms.
import type { Database } from '../store/database.ts';
import type { Finding } from './findings.ts';

/** Returns the findings, the most severe first. */
export async function readFindingList(_database: Database): Promise<Finding[]> {
  return [];
}
