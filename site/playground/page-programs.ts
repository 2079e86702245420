/** The programs of a page: each block of code continues the ones before it. */
import { blocksOf } from '../../scripts/snippets.ts'

/** A block of a page. */
export interface BlockProgram {
  /** The block, with all blocks before it. */
  readonly code: string
  /** Whether it runs in a browser: it needs nothing of Node, and no account. */
  readonly runs: boolean
}

/** What a browser lacks: Node, other services, and keys of accounts, which Rowkey rejects there. */
const NEEDS_NODE =
  /\bprocess\.|from '(?:node:|msw|@rowkey\/(?:azure-entities|cli|local\/msw))|connect\('(?:file:|Use|https?:)|\blisten\(|startLocalService|subscribe\(|\bconnectionString\b/

/**
 * Returns the programs that the blocks of a page make, in the order of the blocks.
 *
 * @param markdown - the text of the page
 */
export function blockPrograms(markdown: string): readonly BlockProgram[] {
  const programs: BlockProgram[] = []
  let code = ''
  for (const block of blocksOf(markdown)) {
    code += code === '' ? block : `\n${block}`
    programs.push({ code, runs: !NEEDS_NODE.test(code) })
  }
  return programs
}
