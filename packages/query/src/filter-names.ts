import type { FilterNode, RawNode } from '@rowkey/odata'
import { QueryError } from './errors/query-error.ts'

/**
 * The stored names that a filter speaks of, each once.
 *
 * @throws {@link QueryError} for raw text that only the service can read
 */
export function filterNames(filter: FilterNode): ReadonlySet<string> {
  return new Set(namesRead(filter))
}

function* namesRead(filter: FilterNode): Generator<string> {
  for (const part of namesIn(filter)) {
    if (typeof part === 'string') yield part
    else if (part.meaning !== undefined) yield* namesRead(part.meaning)
    else throw unreadable()
  }
}

/** The stored names in a filter, and its raw texts as they are. */
export function* namesIn(node: FilterNode): Generator<string | RawNode> {
  switch (node.kind) {
    case 'comparison':
    case 'property':
      yield node.property
      return
    case 'not':
      yield* namesIn(node.operand)
      return
    case 'and':
    case 'or':
      for (const operand of node.operands) yield* namesIn(operand)
      return
    case 'raw':
      yield node
  }
}

function unreadable(): QueryError {
  return new QueryError({
    message:
      'This raw filter can be read by the service alone, so rows cannot be tested by it here. Give a function instead.',
  })
}
