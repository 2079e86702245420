import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('a written entity', () => {
  it.each([
    { type: 'Int32', value: Number.NaN },
    { type: 'Int64', value: Number.POSITIVE_INFINITY },
    { type: 'DateTime', value: new Date(Number.NaN) },
    { type: 'String', value: () => 'text' },
  ])('rejects $value as $type, because its JSON is null', async (n) => {
    const { people, sent } = await openPeople()
    await expect(people.createEntity({ ...row, n })).rejects.toMatchObject({
      code: 'InvalidPropertyValue',
    })
    expect(sent).toEqual([])
  })

  it('a value that does not fit its type goes to the service, which decides', async () => {
    const { people, sent } = await openPeople()
    const bodyOf = async (value: object) => {
      await people.upsertEntity({ ...row, ...value }).catch(() => {})
      return JSON.parse(sent.at(-1)?.body ?? '')
    }
    expect(await bodyOf({ n: { type: 'Int32', value: '32' } })).toMatchObject({
      'n@odata.type': 'Edm.Int32',
      n: '32',
    })
    expect(await bodyOf({ yes: { type: 'Boolean', value: 'false' } })).toMatchObject({
      'yes@odata.type': 'Edm.Boolean',
      yes: 'false',
    })
    expect(await bodyOf({ id: { type: 'Guid', value: 'no guid' } })).toMatchObject({
      'id@odata.type': 'Edm.Guid',
      id: 'no guid',
    })
  })

  it('a row as the REST API has it keeps the types beside its values', async () => {
    const { people } = await openPeople()
    const Timestamp = '2020-01-01T00:00:00Z'
    const id = 'c9da6455-213d-42c9-9a79-3e9149a57833'
    const annotations = { 'big@odata.type': 'Edm.Int64', 'id@odata.type': 'Edm.Guid' }
    await people.createEntity({ ...row, Timestamp, big: '9007199254740993', id, ...annotations })
    const read = await people.getEntity('p', 'r')
    expect(read).toMatchObject({ big: 9007199254740993n, id: { type: 'Guid', value: id } })
    expect(read.timestamp).not.toBe(Timestamp)
  })

  it.each([
    [undefined, /no partitionKey/],
    [{ partitionKey: 'p' }, /no rowKey/],
    [{ partitionKey: 5, rowKey: 'r' }, /no partitionKey/],
  ])('rejects the entity %j and names the key', async (entity, message) => {
    const { people } = await openPeople()
    await expect(people.createEntity(entity as never)).rejects.toThrow(message)
  })
})
