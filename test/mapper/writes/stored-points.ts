import { localTableService } from '@rowkey/local'
import { Account, defineEntity, keepRows, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { type Flavour, type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { expect } from 'vitest'
import { z } from 'zod'

/** A table of points whose writes depend on the rows that are stored. */
export async function storedPoints(ids: readonly string[], flavour: Flavour = 'storage') {
  const { transport, connectionString, faults } = localTableService({ flavour })
  const sent: HttpRequest[] = []
  let read = 0
  let beforeWrite: (() => Promise<unknown>) | undefined
  const watching: Transport = async (request, limits) => {
    sent.push(request)
    if (request.path.endsWith('$batch')) await beforeWrite?.()
    const response = await transport(request, limits)
    if (request.method === 'GET') read += response.body.split('"RowKey":').length - 1
    return response
  }
  const account = new Account(
    tableService({
      connectionString: connectionString(),
      flavour,
      transport: watching,
      retry: noRetry,
    }),
  )
  const Point = defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`point_${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), x: z.number() }),
  })
  const before: unknown[] = []
  keepRows(Point, {
    touches: () => true,
    plan: async (transitions) => {
      before.push(...transitions.flatMap((each) => each.before?.['x'] ?? []))
      return { companions: [], rejected: async (_, error) => error }
    },
  })
  const points = account.table(Point)
  await points.create()
  const rows = ids.map((id) => new DynamicEntity('m', `point_${id}`, { x: 1 }))
  await account.table('points').bulk().insert(rows)
  return {
    before,
    faults,
    /** The table of another program. */
    others: new Account(
      tableService({ connectionString: connectionString(), flavour, transport, retry: noRetry }),
    ).table('points'),
    /** Stores points again; returns the requests, and how many rows they read. */
    async upsert(again: readonly string[], meanwhile?: () => Promise<unknown>) {
      beforeWrite = meanwhile
      sent.length = 0
      read = 0
      before.length = 0
      const written = again.map((id) => ({ map: 'm', id, x: 1 }))
      const { done } = await points.bulk().insertOrReplace(written)
      expect(done).toBe(again.length)
      return { requests: sent.length, read }
    },
  }
}
