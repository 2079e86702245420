import {
  AmbiguousWriteError,
  type Change,
  entityGroupTransaction,
  getEntity,
  perform,
  type TableService,
} from '@rowkey/rest'

/** How a call ended: applied, certainly not applied, or unknown for ever. */
export type Ending = 'ok' | 'fail' | 'unknown'

/** A part of a history: when it began and ended, in the order of all events. */
export interface Span {
  readonly began: number
  /** Infinity when the outcome is unknown: it may still happen. */
  readonly ended: number
}

/** A row as a client read it. */
export interface ReadRow {
  readonly value: string
  readonly etag: string
}

/** How clients of a workload read and write rows. Broken ones take its place. */
export interface RowClient {
  read(service: TableService, rowKey: string): Promise<ReadRow>
  write(service: TableService, changes: readonly Change[]): Promise<Ending>
}

/** The key of a row of the workloads. */
export const keyOf = (rowKey: string) => ({ partitionKey: 'p', rowKey })

/** A row of the workloads with a value. */
export const rowOf = (rowKey: string, value: string) => ({
  ...{ table: 'people', key: keyOf(rowKey) },
  body: JSON.stringify({ PartitionKey: 'p', RowKey: rowKey, value }),
})

/** The client as it is. */
export const rowClient: RowClient = {
  async read(service, rowKey) {
    const { raw, etag } = await perform(service, getEntity, {
      ...{ table: 'people', key: keyOf(rowKey) },
    })
    return { value: String(raw.value), etag: etag ?? '' }
  },

  async write(service, changes) {
    try {
      await perform(service, entityGroupTransaction, { table: 'people', changes })
      return 'ok'
    } catch (error) {
      return endingOf(error)
    }
  },
}

/** What an error of a write says; asks for what is stored when the error offers that. */
export async function endingOf(error: unknown): Promise<Ending> {
  if (error instanceof AmbiguousWriteError) {
    const outcome = await error.resolve().catch(() => 'unknown')
    if (outcome === 'unknown') return 'unknown'
    return outcome === 'applied' ? 'ok' : 'fail'
  }
  const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
  return mayHaveApplied === false ? 'fail' : 'unknown'
}
