import { type ReadResult, ServiceError, type Witness } from '@rowkey/rest'

/** A witness of one entity, or of one after the other, who remembers from 12:00 on. */
export function aWitness(...entities: readonly (ReadResult | undefined)[]): Witness {
  let read = 0
  return {
    since: Date.UTC(2026, 10, 20, 12),
    isDated: true,
    entity: async () => entities[Math.min(read++, entities.length - 1)],
    hasTable: async () => entities[0] !== undefined,
    insert: async () => entities[0] === undefined,
  }
}

/** An entity that was stored after 12:00. */
export function storedLately(members: object): ReadResult {
  const raw = {
    PartitionKey: 'Smith',
    RowKey: 'Jeff',
    Timestamp: '2026-11-20T12:00:01Z',
    ...members,
  }
  return { raw, etag: 'W/"1"' }
}

/** An entity that was stored before 12:00. */
export function storedBefore(members: object): ReadResult {
  return storedLately({ Timestamp: '2026-11-20T11:00:00Z', ...members })
}

/** The error of a retry. */
export function refusalOf(status: number, code: string): ServiceError {
  return new ServiceError({
    ...{ message: 'No', status, code, requestId: 'r', operation: 'x', mayHaveApplied: false },
  })
}
