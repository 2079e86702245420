import { fnv1a, type RawEntity } from '@rowkey/odata'
import { markerKey } from '../operations/query-entities.ts'
import type { EntityWrite } from '../request/entity-write.ts'
import type { Witness } from '../request/operation.ts'
import type { Change } from '../transaction/check-change-set.ts'
import type { WritePlan } from './write-plan.ts'

/** The state of a write that its marker row shows. */
export type MarkerState =
  /** It was stored with the write: the write was applied. */
  | 'written'
  /** It was stored by itself: the write was not applied, and cannot be any more. */
  | 'fence'
  /** It was stored with a write of other keys, or of another kind. */
  | 'other write'
  /** It does not exist: no attempt has been applied so far. */
  | 'missing'

/** What a marker row shows. */
export interface MarkerReading {
  readonly state: MarkerState
  /**
   * The status of the rejection that the operation expects, when the write has ended with it: nothing was applied, and
   * nothing will be.
   */
  readonly rejectedWith?: number | undefined
}

/** The row that proves whether a write was applied. */
export interface Marker {
  /** Is stored in the transaction of the write. */
  readonly row: EntityWrite
  /** Is stored to keep late attempts from being applied. */
  readonly fence: EntityWrite
  /**
   * Makes the row that ends a write with a rejection that its operation expects. A repetition by the
   * caller's key finds it, as it would find the row of a write that was applied.
   *
   * @param status - the status of the rejection
   */
  ended(status: number): EntityWrite
}

/** How long each marker stays at least, in milliseconds: longer than an attempt may be pending. */
export const LEAST_AGE: number = 10 * 60 * 1000

const KIND = 'k'
const DIGEST = 'd'
const STATUS = 's'

/**
 * Makes the marker of a write, and its fence: two rows with one key, in the partition of the write.
 *
 * @param plan - the write
 * @param id - its id
 */
export function markerOf({ table, changes }: WritePlan<unknown>, id: string): Marker {
  const partitionKey = changes[0]?.input.key.partitionKey ?? ''
  const fence = fenceOf(table, partitionKey, id)
  const { key } = fence
  const keys = { PartitionKey: partitionKey, RowKey: key.rowKey }
  const row = { ...keys, [KIND]: 'write', [DIGEST]: digestOf(changes) }
  return {
    row: { table, key, body: JSON.stringify(row) },
    fence,
    ended: (status) => ({ table, key, body: JSON.stringify({ ...row, [STATUS]: status }) }),
  }
}

/**
 * Makes the row that keeps the attempts of a write from being applied.
 *
 * @param table - the table's name
 * @param partitionKey - the partition of the write
 * @param id - its id
 */
export function fenceOf(table: string, partitionKey: string, id: string): EntityWrite {
  const key = { partitionKey, rowKey: markerKey(id) }
  const row = { PartitionKey: partitionKey, RowKey: key.rowKey, [KIND]: 'fence' }
  return { table, key, body: JSON.stringify(row) }
}

/**
 * Returns the id of the marker that a caller's key names. After a fence, the key names another marker.
 *
 * @param idempotencyKey - the caller's key
 * @param generation - how many fences were stored for it
 */
export function markerIdOf(idempotencyKey: string, generation: number): string {
  return generation === 0 ? idempotencyKey : `${idempotencyKey}~${generation}`
}

function isFence(raw: RawEntity): boolean {
  return raw[KIND] === 'fence'
}

/**
 * Returns how the write of a stored marker has ended; `undefined` when the marker is a fence.
 *
 * @param raw - the stored marker
 */
export function endingOf(raw: RawEntity): 'applied' | 'not applied' | undefined {
  if (isFence(raw)) return undefined
  return raw[STATUS] === undefined ? 'applied' : 'not applied'
}

/**
 * Reads which of its rows a marker is stored as.
 *
 * @param marker - the marker
 * @param witness - reads what is stored
 */
export async function readMarker({ row }: Marker, witness: Witness): Promise<MarkerReading> {
  const found = await witness.entity(row.table, row.key)
  if (found === undefined) return { state: 'missing' }
  if (isFence(found.raw)) return { state: 'fence' }
  if (JSON.parse(row.body)[DIGEST] !== found.raw[DIGEST]) return { state: 'other write' }
  const { [STATUS]: status } = found.raw
  return { state: 'written', ...(typeof status === 'number' && { rejectedWith: status }) }
}

/**
 * Stores the fence of a marker, and reads which of both is stored. Afterwards late attempts change
 * nothing.
 *
 * @param marker - the marker
 * @param witness - stores and reads
 */
export async function fenceMarker(marker: Marker, witness: Witness): Promise<MarkerReading> {
  const isFirst = await witness.insert(marker.fence)
  return isFirst ? { state: 'fence' } : readMarker(marker, witness)
}

/**
 * Stores that a write has ended with a rejection that its operation expects, and reads what is stored. Afterwards late
 * attempts and repetitions change nothing.
 *
 * @param marker - the marker
 * @param status - the status of the rejection
 * @param witness - stores and reads
 */
export async function endMarker(
  marker: Marker,
  status: number,
  witness: Witness,
): Promise<MarkerReading> {
  const isFirst = await witness.insert(marker.ended(status))
  return isFirst ? { state: 'written', rejectedWith: status } : readMarker(marker, witness)
}

/**
 * Digests the rows of a write and the kind of each change. The content is left out: encryption
 * and clocks change it
 * when a process repeats a write.
 */
function digestOf(changes: readonly Change[]): string {
  const texts = changes
    .map(({ operation, input }) => [input.knownAs ?? operation.name, input.key.rowKey])
    .filter(([kind]) => kind !== '')
  return fnv1a(JSON.stringify(texts)).toString(36)
}
