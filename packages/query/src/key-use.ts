import type { FilterNode } from '@rowkey/odata'

/** A key of an entity, by its stored name. */
export type KeyName = 'PartitionKey' | 'RowKey'

/** Where a key is asked about in a way that bounds nothing. */
export interface KeyUse {
  /** The key. */
  readonly key: KeyName
  /** What keeps it from being a bound. */
  readonly under: 'or' | 'not' | 'ne'
}

/** Every place of a filter that names a key and bounds nothing, each kind of it once. */
export function unboundingUses(filter: FilterNode | undefined): readonly KeyUse[] {
  const uses = new Map<string, KeyUse>()
  for (const use of filter === undefined ? [] : usesIn(filter)) {
    uses.set(`${use.key} ${use.under}`, use)
  }
  return [...uses.values()]
}

function* usesIn(node: FilterNode, under?: KeyUse['under']): Generator<KeyUse> {
  switch (node.kind) {
    case 'comparison': {
      const { property: key } = node
      const cause = under ?? (node.operator === 'ne' ? 'ne' : undefined)
      if (isKeyName(key) && cause !== undefined) yield { key, under: cause }
      return
    }
    case 'not':
      yield* usesIn(node.operand, 'not')
      return
    case 'and':
    case 'or':
      for (const operand of node.operands) {
        yield* usesIn(operand, node.kind === 'or' ? (under ?? 'or') : under)
      }
      return
    case 'raw':
      if (node.meaning !== undefined) yield* usesIn(node.meaning, under)
  }
}

/** Whether a stored name is that of a key. */
export function isKeyName(name: string): name is KeyName {
  return name === 'PartitionKey' || name === 'RowKey'
}

/** Whether a filter asks about anything but the keys. */
export function asksBeyondKeys(node: FilterNode | undefined): boolean {
  switch (node?.kind) {
    case 'comparison':
    case 'property':
      return !isKeyName(node.property)
    case 'not':
      return asksBeyondKeys(node.operand)
    case 'and':
    case 'or':
      return node.operands.some(asksBeyondKeys)
    case 'raw':
      // Text that cannot be read here is about something else than keys, or it could be.
      return node.meaning === undefined || asksBeyondKeys(node.meaning)
    default:
      return false
  }
}
