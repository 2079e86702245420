import {
  type CallOptions,
  type Change,
  changeBytes,
  changeSetLimits,
  type TableService,
} from '@rowkey/rest'

/** Changes that only make sense together. */
interface ChangeGroup {
  readonly changes: readonly Change[]
}

/** Puts groups of changes together, by partition, and by the number and the bytes that one transaction holds. */
export function* transactionsOf<Group extends ChangeGroup>(
  groups: readonly Group[],
  service: TableService,
  options: CallOptions,
): Generator<readonly Group[], void, undefined> {
  const partitions = new Map<string | undefined, Group[]>()
  for (const group of groups) {
    const partitionKey = group.changes[0]?.input.key.partitionKey
    const own = partitions.get(partitionKey) ?? []
    own.push(group)
    partitions.set(partitionKey, own)
  }
  for (const own of partitions.values()) yield* transactionsIn(own, service, options)
}

function* transactionsIn<Group extends ChangeGroup>(
  groups: readonly Group[],
  { endpoint, exactWrites: usual }: TableService,
  { exactWrites = usual }: CallOptions,
): Generator<readonly Group[], void, undefined> {
  const most = changeSetLimits(endpoint, exactWrites)
  let part: Group[] = []
  let [count, bytes] = [0, 0]
  for (const group of groups) {
    const own = group.changes.reduce((sum, change) => sum + changeBytes(change, endpoint), 0)
    const isFull = count + group.changes.length > most.changes || bytes + own > most.bytes
    if (part.length > 0 && isFull) {
      yield part
      part = []
      ;[count, bytes] = [0, 0]
    }
    part.push(group)
    count += group.changes.length
    bytes += own
  }
  if (part.length > 0) yield part
}
