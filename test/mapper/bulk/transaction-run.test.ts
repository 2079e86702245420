import { localTableService } from '@rowkey/local'
import { Account, Operation } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { noRetry, tableService } from '@rowkey/rest'
import { failingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { bulkTable, row, rows } from './bulk-account.ts'
import { outcomesOf } from './short-outcomes.ts'

describe('a bulk writer', () => {
  it('fails a bad entity alone, and writes its 99 neighbours in one transaction', async () => {
    const { table, writes, stored } = await bulkTable()
    const entities: DynamicEntity[] = rows('p', 100)
    entities[50] = row('p', 'a/b', 50)
    const run = table.bulk().insert(entities)
    expect((await outcomesOf(run)).filter((line) => !line.startsWith('done'))).toEqual(['failed -'])
    expect(writes()).toEqual([99])
    expect(Object.keys(await stored())).toHaveLength(99)
    const { failures } = await run.summary()
    expect(failures).toMatchObject([{ index: 50, error: { code: 'InvalidEntityKey' } }])
  })

  it('removes a rejected row from its transaction, and sends the others in order', async () => {
    const { table, writes, stored } = await bulkTable()
    await table.insert(row('p', '00007', -1))
    writes().length = 0
    const outcomes = await outcomesOf(table.bulk().insert(rows('p', 20)))
    expect(outcomes.filter((line) => line.startsWith('failed'))).toEqual(['failed p/00007'])
    expect(writes()).toEqual([20, 19])
    expect((await stored())['p/00007']).toBe(-1)
    expect(Object.keys(await stored())).toHaveLength(20)
  })

  it.each([
    ['fail', ['failed p/00000', 'done p/00001'], { 'p/00000': -1, 'p/00001': 1 }],
    ['skip', ['skipped p/00000', 'done p/00001'], { 'p/00000': -1, 'p/00001': 1 }],
  ] as const)('settles a conflict by %s', async (onConflict, expected, rest) => {
    const { table, stored } = await bulkTable()
    await table.insert(row('p', '00000', -1))
    expect(await outcomesOf(table.bulk({ onConflict }).insert(rows('p', 2)))).toEqual(expected)
    expect(await stored()).toEqual(rest)
  })

  it.each([
    ['fail', 'failed'],
    ['skip', 'skipped'],
  ] as const)(
    'settles a merge, replace or delete of a row that was deleted meanwhile by onMissing %s',
    async (onMissing, status) => {
      for (const onConflict of ['fail', 'skip', 'modify'] as const) {
        const { table, stored } = await bulkTable()
        const read = await Promise.all(rows('p', 4).map((each) => table.insert(each)))
        for (const each of read.slice(0, 3)) {
          each.set('n', -1)
          await table.delete([each.partitionKey, each.rowKey], { etag: '*' })
        }
        read[3]?.set('n', -1)
        const modify = onConflict === 'modify' ? () => {} : undefined
        const [merged, replaced, deleted, last] = read
        const run = table
          .bulk({ onMissing, onConflict, modify })
          .execute([
            Operation.merge(merged!),
            Operation.replace(replaced!),
            Operation.delete(deleted!),
            Operation.merge(last!),
          ])
        const outcomes: [string, unknown][] = []
        for await (const outcome of run) {
          const { code } = Object('error' in outcome ? outcome.error : undefined)
          outcomes[outcome.index] = [outcome.status, code]
        }
        const missing = [status, 'ResourceNotFound']
        expect(outcomes).toEqual([missing, missing, missing, ['done', undefined]])
        expect(await stored()).toEqual({ 'p/00003': -1 })
      }
    },
  )

  it('settles a row that is deleted between a conflict and its modification by onMissing', async () => {
    const remove = () => table.delete(['p', '1'], { etag: '*' })
    let isDeleted = true
    const { table } = await bulkTable((transport) => async (request, limits) => {
      if (request.method === 'GET' && !isDeleted) {
        isDeleted = true
        await remove()
      }
      return transport(request, limits)
    })
    for (const [onMissing, status] of [
      ['skip', 'skipped'],
      ['fail', 'failed'],
    ] as const) {
      const stale = await table.insert(row('p', '1', 1))
      await table.merge(row('p', '1', 2), { etag: '*' })
      stale.set('n', 3)
      isDeleted = false
      const bulk = table.bulk({ onConflict: 'modify', modify: () => {}, onMissing })
      expect(await outcomesOf(bulk.merge([stale]))).toEqual([`${status} p/1`])
      expect(isDeleted).toBe(true)
    }
  })

  it('settles a conflict by changing the stored entity', async () => {
    const { table, stored } = await bulkTable()
    await table.insert(row('p', '00001', 100))
    const stale = await table.insert(row('p', '00005', 1))
    await table.merge(Object.assign(row('p', '00005', 50)), { etag: '*' })
    stale.set('n', 2)
    const nOf = (entity: object) => Number((entity as DynamicEntity).get('n')?.value)
    const bulk = table.bulk({
      onConflict: 'modify',
      modify: (there, given) => void there.set('n', nOf(there) + nOf(given)),
    })
    expect(await bulk.insert(rows('p', 3))).toMatchObject({ done: 3 })
    expect(await bulk.merge([stale])).toMatchObject({ done: 1 })
    expect(await stored()).toEqual({ 'p/00000': 0, 'p/00001': 101, 'p/00002': 2, 'p/00005': 52 })
  })

  it('fails a delete that meets a conflict, even with modify', async () => {
    const { table } = await bulkTable()
    const stale = await table.insert(row('p', '1', 1))
    await table.merge(row('p', '1', 2), { etag: '*' })
    const bulk = table.bulk({ onConflict: 'modify', modify: () => {} })
    expect(await outcomesOf(bulk.delete([stale]))).toEqual(['failed p/1'])
  })

  it('reports a modify that throws as failed', async () => {
    const { table } = await bulkTable()
    await table.insert(row('p', '00000', 1))
    const modify = () => {
      throw new TypeError('mine')
    }
    const summary = await table
      .bulk({ onConflict: 'modify', modify })
      .insert(rows('p', 1))
      .summary()
    expect(summary.failures).toMatchObject([{ status: 'failed', error: { message: 'mine' } }])
  })
})

describe('the truth of a bulk writer', () => {
  it('reports a write whose response was lost as unknown, and the others as done', async () => {
    let lost = 0
    const { table, stored } = await bulkTable(
      (transport) =>
        failingTransport(transport, (request) => {
          if (!request.body?.includes('"lost"') || ++lost > 1) return undefined
          return 'lost response'
        }),
      { retry: noRetry },
    )
    const input = [row('a', '1', 1), row('b', 'lost', 2), row('c', '3', 3)]
    const run = table.bulk().merge(input, { etag: '*' })
    expect((await run.summary()).failures.map(({ status }) => status)).toContain('failed')
    const upserts = await outcomesOf(table.bulk().insertOrReplace(input))
    expect(upserts).toEqual(['done a/1', 'done b/lost', 'done c/3'])
    expect(await stored()).toEqual({ 'a/1': 1, 'b/lost': 2, 'c/3': 3 })
  })

  it('reports each operation of a transaction in doubt as unknown, with an error that can resolve it', async () => {
    const { table, local, stored } = await bulkTable(undefined, { retry: noRetry })
    local.faults.add({ fault: { kind: 'lost response' }, times: 1 })
    const run = table.bulk().insert(rows('p', 3))
    expect(await outcomesOf(run)).toEqual(['unknown p/00000', 'unknown p/00001', 'unknown p/00002'])
    const [first] = (await run.summary()).failures
    expect(await (first!.error as { resolve(): Promise<string> }).resolve()).toBe('applied')
    expect(Object.keys(await stored())).toHaveLength(3)
  })

  it('reports operations as failed when nothing was sent', async () => {
    const { table } = await bulkTable(
      (transport) =>
        failingTransport(transport, ({ body }) =>
          body?.includes('$batch') || body?.includes('multipart') ? 'no connection' : undefined,
        ),
      { retry: noRetry },
    )
    const summary = await table.bulk().insert(rows('p', 3)).summary()
    expect(summary).toMatchObject({ failed: 3, unknown: 0, ending: 'complete' })
  })

  it.each(['insert', 'insertOrMerge', 'insertOrReplace'] as const)(
    'ends early on Cosmos DB when the table of an %s is missing, and skips nothing',
    async (kind) => {
      const { transport, connectionString } = localTableService({ flavour: 'cosmos' })
      const account = new Account(
        tableService({
          connectionString: connectionString(),
          transport,
          flavour: 'cosmos',
          retry: noRetry,
        }),
      )
      const bulk = account.table('missing').bulk({ onMissing: 'skip', buffer: 200 })
      const summary = await bulk[kind](rows('p', 5_000)).summary()
      expect(summary).toMatchObject({ ending: 'failed', done: 0, skipped: 0 })
      expect(summary.cause).toMatchObject({ name: 'TableNotFoundError' })
      expect(summary.failed).toBe(summary.read)
    },
  )
})
