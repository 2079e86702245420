import {
  type CallOptions,
  type DeletionResult,
  deleteEntity,
  deleteEntityIfExists,
  type EntityWrite,
  entityGroupTransaction,
  findEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  perform,
  type TableService,
  updateEntity,
} from '@rowkey/rest'

/** The operations that a simulation performs; a broken one takes the place of one of them. */
export const operations = {
  insert: insertEntity,
  insertOrMerge: insertOrMergeEntity,
  insertOrReplace: insertOrReplaceEntity,
  merge: mergeEntity,
  replace: updateEntity,
  delete: deleteEntity,
  deleteIfExists: deleteEntityIfExists,
  batch: entityGroupTransaction,
  find: findEntity,
} as const

/** The operations of a simulation. */
export type Operations = { -readonly [Name in keyof typeof operations]: (typeof operations)[Name] }

/** What a call does. */
export const callKinds = [
  'insert',
  'insert lock',
  'insertOrMerge',
  'insertOrReplace',
  'merge',
  'merge *',
  'replace',
  'delete',
  'delete *',
  'deleteIfExists',
  'deleteIfExists by a key',
  'batch of inserts',
  'batch with a merge',
  'find',
] as const

/** One of them. */
export type CallKind = (typeof callKinds)[number]

/** A call that is about to be made. */
export interface PlannedCall {
  readonly kind: CallKind
  readonly row: string
  /** Unique, unless the call inserts a lock, which has the same content for all. */
  readonly content: string
  /** The condition of a merge, a replace or a delete. */
  readonly etag: string
}

/** Tells whether a call needs an ETag that was read before. */
export function isConditional(kind: CallKind): boolean {
  return ['merge', 'replace', 'delete', 'batch with a merge'].includes(kind)
}

/** Tells whether every client makes a call exactly: it has an idempotency key. */
export function isKeyed(kind: CallKind): boolean {
  return kind === 'deleteIfExists by a key'
}

/**
 * Makes a call.
 *
 * @param service - the client
 * @param planned - what to do
 * @param options - signal, deadline and exactness
 * @param known - the operations; one may be broken on purpose
 */
export async function makeCall(
  service: TableService,
  { kind, row, content, etag }: PlannedCall,
  options: CallOptions,
  known: Operations,
): Promise<unknown> {
  const write = rowOf(row, content)
  const conditional = { ...write, etag }
  const second = { operation: known.insert, input: rowOf(`of ${content}`, content) }
  const batch = (operation: typeof known.insert, input: EntityWrite) =>
    perform(
      service,
      known.batch,
      { table: 'people', changes: [{ operation, input }, second] },
      options,
    )
  switch (kind) {
    case 'insert':
    case 'insert lock':
      return perform(service, known.insert, write, options)
    case 'insertOrMerge':
      return perform(service, known.insertOrMerge, write, options)
    case 'insertOrReplace':
      return perform(service, known.insertOrReplace, write, options)
    case 'merge':
    case 'merge *':
      return perform(service, known.merge, conditional, options)
    case 'replace':
      return perform(service, known.replace, conditional, options)
    case 'delete':
    case 'delete *':
      return perform(service, known.delete, { ...conditional, body: '' }, options)
    case 'deleteIfExists':
      return perform(service, known.deleteIfExists, { ...conditional, body: '' }, options)
    case 'deleteIfExists by a key': {
      const deletion = { ...conditional, body: '' }
      return perform(service, known.deleteIfExists, deletion, {
        ...options,
        idempotencyKey: content,
      })
    }
    case 'batch of inserts':
      return batch(known.insert, write)
    case 'batch with a merge':
      return batch(known.merge, conditional)
    case 'find':
      return perform(service, known.find, write, options)
  }
}

/** Tells whether a delete said that there was an entity; `undefined` for any other call. */
export function deletedOf(output: unknown): boolean | undefined {
  const { deleted }: Partial<DeletionResult> = Object(output)
  return deleted
}

function rowOf(rowKey: string, content: string): EntityWrite {
  const key = { partitionKey: 'p', rowKey }
  const body = JSON.stringify({ PartitionKey: 'p', RowKey: rowKey, content })
  return { table: 'people', key, body }
}
