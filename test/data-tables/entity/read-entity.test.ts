import { getEntity, insertEntity, perform, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('a property that is read', () => {
  it('a DateTime is read as a plain Date', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, since: new Date(5) })
    const { since } = await people.getEntity<{ since: Date }>('p', 'r')
    expect([since, since.constructor]).toEqual([new Date(5), Date])
  })

  it('a negative zero keeps its sign with disableTypeConversion', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, n: -0 })
    const read = await people.getEntity<typeof row>('p', 'r', { disableTypeConversion: true })
    expect(read).toMatchObject({ n: { type: 'Double', value: '-0' } })
    await people.updateEntity(read, 'Replace')
    expect(await people.getEntity('p', 'r')).toMatchObject({ n: -0 })
  })

  it('a property called __proto__ is read and kept', async () => {
    const { people } = await openPeople()
    const entity = JSON.parse('{"partitionKey":"p","rowKey":"r","__proto__":"text"}')
    await people.createEntity(entity)
    const read = await people.getEntity('p', 'r')
    expect(Object.entries(read)).toContainEqual(['__proto__', 'text'])
    await people.updateEntity({ partitionKey: 'p', rowKey: 'r', ...read }, 'Replace')
    expect(Object.entries(await people.getEntity('p', 'r'))).toContainEqual(['__proto__', 'text'])
  })

  it('a stored property with a system name hides nothing, and stays', async () => {
    const { people, local } = await openPeople()
    const service = tableService({
      connectionString: local.connectionString(),
      transport: local.transport,
    })
    const key = { partitionKey: 'p', rowKey: 'r' }
    const body = JSON.stringify({ PartitionKey: 'p', RowKey: 'r', etag: 'e', timestamp: 't', n: 1 })
    const { etag } = await perform(service, insertEntity, { table: 'people', key, body })
    const read = await people.getEntity<typeof row & { n: number }>('p', 'r')
    expect(read).toMatchObject({ etag, n: 1 })
    await people.updateEntity({ ...read, n: 2 }, 'Merge', { etag: read.etag })
    const latest = await people.getEntity<typeof row & { n: number }>('p', 'r')
    latest.n = 3
    await people.updateEntity(latest, 'Replace', { etag: latest.etag })
    const { raw } = await perform(service, getEntity, { table: 'people', key })
    expect(raw).toMatchObject({ etag: 'e', timestamp: 't', n: 3 })
  })

  it('binary values are Buffers on Node', async () => {
    const { people } = await openPeople()
    await people.createEntity({ ...row, bytes: new Uint8Array([10, 11, 12]) })
    const { bytes } = await people.getEntity<{ bytes: Uint8Array }>('p', 'r')
    expect(bytes.toString()).toBe(Buffer.from([10, 11, 12]).toString())
    expect(Buffer.isBuffer(bytes)).toBe(true)
  })
})
