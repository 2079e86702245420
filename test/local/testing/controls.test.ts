import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import { checkSnapshot, StoreSnapshot } from '../../../packages/local/src/testing/controls.ts'
import { Conversation } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const row = (rowKey: string) => ({ PartitionKey: 'a', RowKey: rowKey })
const path = "/people(PartitionKey='a',RowKey='b')"

const withRow = async (options = {}) => {
  const service = new Conversation(options)
  await service.send('POST', '/Tables', { body: { TableName: 'people' } })
  await service.send('POST', '/people', { body: row('b') })
  return service
}

describe('the controls of a service', () => {
  it('restore tables, including ETags', async () => {
    const service = await withRow()
    const before = (await service.send('GET', '/people()')).body
    const snapshot = await service.local.snapshot()
    await service.send('DELETE', path, { headers: { 'if-match': '*' } })
    await service.send('POST', '/people', { body: row('c') })
    await service.send('POST', '/Tables', { body: { TableName: 'places' } })
    await service.local.restore(snapshot)
    expect((await service.send('GET', '/people()')).body).toBe(before)
    expect((await service.send('GET', '/places()')).status).toBe(404)
  })

  it('restore the tables of a folder for its next service', async () => {
    const data = await temporaryFolder()
    const service = await withRow({ data })
    const before = (await service.send('GET', '/people()')).body
    const snapshot = await service.local.snapshot()
    await service.send('DELETE', path, { headers: { 'if-match': '*' } })
    await service.send('POST', '/Tables', { body: { TableName: 'places' } })
    await service.local.restore(snapshot)
    expect((await service.send('GET', '/people()')).body).toBe(before)
    await service.local.close()
    const next = new Conversation({ data })
    expect((await next.send('GET', '/people()')).body).toBe(before)
    expect((await next.send('GET', '/places()')).status).toBe(404)
    await next.local.close()
  })

  it.each(['in memory', 'in a folder'])('run one after another %s', async (place) => {
    const data = place === 'in a folder' ? await temporaryFolder() : undefined
    const service = await withRow({ data })
    const { local } = service
    const before = (await service.send('GET', '/people()')).body
    const snapshot = await local.snapshot()
    const [, , between] = await Promise.all([
      local.restore(snapshot),
      local.reset(),
      local.snapshot(),
      local.restore(snapshot),
    ])
    expect((await service.send('GET', '/people()')).body).toBe(before)
    await local.restore(between)
    expect((await service.send('GET', '/people()')).status).toBe(404)
    await local.close()
  })

  it('continue after a failure', async () => {
    const service = await withRow({ data: await temporaryFolder() })
    const { local } = service
    const snapshot = await local.snapshot()
    await local.close()
    for (let times = 0; times < 2; times++) {
      await expect(local.restore(snapshot)).rejects.toMatchObject({ code: 'StoreClosed' })
    }
  })

  it('never repeat an ETag, even after a restore', async () => {
    const service = await withRow()
    const snapshot = await service.local.snapshot()
    const put = async () => (await service.send('PUT', path, { body: row('b') })).headers.etag
    const first = await put()
    await service.local.restore(snapshot)
    expect(await put()).not.toBe(first)
  })

  it('reset tables, faults, properties and the log', async () => {
    const service = await withRow({ tableDeletion: { keepNameFor: 1000 } })
    const { local } = service
    local.faults.add({ fault: { kind: 'lost request' } })
    await local.reset()
    expect([local.faults.list(), local.requests.count]).toEqual([[], 0])
    expect((await service.send('GET', '/people()')).status).toBe(404)
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    await service.send('DELETE', "/Tables('people')")
    expect((await service.send('GET', '/people()')).status).toBe(409)
    await local.reset()
    expect((await service.send('GET', '/people()')).status).toBe(404)
  })

  it('synchronize the secondary', async () => {
    const service = await withRow({ replication: { lag: 60_000 } })
    const onSecondary = async () => (await service.send('GET', path, { isSecondary: true })).status
    expect(await onSecondary()).toBe(404)
    const snapshot = await service.local.snapshot()
    await service.local.restore(snapshot)
    expect(await onSecondary()).toBe(200)
    await service.local.reset()
    expect(await onSecondary()).toBe(404)
  })
})

it('a snapshot can be restored again and again', async () => {
  const store = new MemoryStore()
  await store.createTable('contoso', 'people')
  const snapshot = await StoreSnapshot.take(store, ['contoso'])
  for (const table of ['places', 'orders']) {
    await store.createTable('contoso', table)
    await store.dropTable('contoso', 'people')
    await snapshot.restore(store)
    expect(await store.tableNames('contoso')).toEqual(['people'])
  }
})

it.each([undefined, null, {}, 'snapshot', { accounts: ['contoso'] }])(
  'checkSnapshot rejects %o',
  (given) => {
    expect(() => checkSnapshot(given, ['contoso'])).toThrow(InputError)
  },
)

it('checkSnapshot rejects the snapshot of a service with other accounts', async () => {
  const snapshot = await StoreSnapshot.take(new MemoryStore(), ['contoso'])
  expect(() => checkSnapshot(snapshot, ['fabrikam'])).toThrow(/fabrikam/)
  expect(checkSnapshot(snapshot, ['contoso'])).toBe(snapshot)
})
