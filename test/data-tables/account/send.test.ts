import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('the options of a call', () => {
  it('give onResponse the response, the result and the error', async () => {
    const { people } = await openPeople()
    const calls: unknown[] = []
    const onResponse = (raw: { status: number }, flat: unknown, error?: unknown) =>
      calls.push([raw.status, flat, error])
    const created = await people.createEntity(row, { onResponse })
    const error: unknown = await people.createEntity(row, { onResponse }).catch((e: unknown) => e)
    expect(calls).toEqual([
      [204, created, undefined],
      [409, (error as { details: unknown }).details, error],
    ])
  })

  it('give onResponse the members and headers of a response, as the service sent them', async () => {
    const { people, service } = await openPeople()
    await people.createEntity({ ...row, n: 1 })
    const flat: unknown[] = []
    const onResponse = (_raw: object, members: unknown) => flat.push(members)
    await people.getEntity('p', 'r', { onResponse })
    await people.createEntity({ ...row, rowKey: 's' })
    await people.listEntities({ onResponse }).byPage({ maxPageSize: 1 }).next()
    await service.listTables({ onResponse }).next()
    const date = expect.any(Date)
    expect(flat).toEqual([
      expect.objectContaining({ PartitionKey: 'p', n: 1, date }),
      expect.objectContaining({
        value: [expect.objectContaining({ RowKey: 'r' })],
        xMsContinuationNextPartitionKey: expect.any(String),
      }),
      expect.objectContaining({ value: [{ TableName: 'people' }], date }),
    ])
  })

  it('give onResponse the result of a response in XML as its parsed body', async () => {
    const { service } = await openPeople()
    let parsed: unknown
    const onResponse = ({ parsedBody }: { parsedBody?: unknown }) => {
      parsed = parsedBody
    }
    expect(await service.getProperties({ onResponse })).toEqual(parsed)
  })

  it('call onResponse once for each page, with the parsed body', async () => {
    const { people } = await openPeople()
    for (const rowKey of ['a', 'b', 'c']) await people.createEntity({ ...row, rowKey })
    const sizes: number[] = []
    const options = {
      onResponse: ({ parsedBody }: { parsedBody?: { value: unknown[] } }) =>
        sizes.push(parsedBody?.value.length ?? -1),
    }
    for await (const _page of people.listEntities(options).byPage({ maxPageSize: 2 }));
    expect(sizes).toEqual([2, 1])
  })
})
