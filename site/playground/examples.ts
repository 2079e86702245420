/** What the menu of the playground offers: blocks of the pages, which continue the blocks before them. */

/** What an example shows, and the block that it is. */
export const examples: readonly (readonly [title: string, page: string, block: number])[] = [
  ['A first program', 'tour', 0],
  ['A model with a schema', 'models', 0],
  ['Queries and their plans', 'queries', 5],
  ['Concurrent changes', 'changes', 1],
  ['Several types in one table', 'several-types', 0],
  ['Many entities', 'bulk', 1],
  ['Rows that expire', 'expiry', 1],
  ['Counts kept by the writes', 'patterns/summaries', 1],
]
