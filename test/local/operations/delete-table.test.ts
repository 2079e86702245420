import { describe, expect, it, onTestFinished } from 'vitest'
import { Conversation, codeOf, rejectionOf, xmlCodeOf } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

describe('deleteTable', () => {
  it('R-25: deletes a table with its rows, by its name in any case', async () => {
    const service = await Conversation.withTable('people')
    await service.send('POST', '/people', { body: { PartitionKey: 'p', RowKey: 'r' } })
    expect(await service.send('DELETE', "/Tables('PEOPLE')")).toMatchObject({
      status: 204,
      body: '',
    })
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    const rows = await service.send('GET', '/people()?$format=application/json;odata=nometadata')
    expect(rows.body).toBe('{"value":[]}')
  })

  it('R-25: responds ResourceNotFound for a missing table', async () => {
    expect(rejectionOf(await new Conversation().send('DELETE', "/Tables('people')"))).toEqual([
      404,
      'ResourceNotFound',
      'The specified resource does not exist.',
    ])
  })

  it('R-25: keeps the name for a while with tableDeletion', async () => {
    const service = new Conversation({ tableDeletion: { keepNameFor: 40_000 } })
    const create = () => service.send('POST', '/Tables', { body: { TableName: 'people' } })
    await create()
    await service.send('DELETE', "/Tables('people')")
    const refused = [409, 'TableBeingDeleted']
    expect(rejectionOf(await create())).toEqual([
      ...refused,
      'The specified table is being deleted. Try operation later.',
    ])
    const row = "/PEOPLE(PartitionKey='p',RowKey='r')"
    expect(codeOf(await service.send('GET', row))).toEqual(refused)
    expect(codeOf(await service.send('POST', '/people', { body: {} }))).toEqual(refused)
    expect(xmlCodeOf(await service.send('GET', '/people?comp=acl'))).toEqual(refused)
    expect(JSON.parse((await service.send('GET', '/Tables')).body).value).toEqual([])
    const again = await service.send('DELETE', "/Tables('people')")
    expect(codeOf(again)).toEqual([404, 'ResourceNotFound'])
    service.now += 40_000
    expect(codeOf(await service.send('GET', row))).toEqual([404, 'TableNotFound'])
    expect((await create()).status).toBe(201)
  })

  it.each([
    { store: 'in memory', folder: async () => undefined },
    { store: 'in a folder', folder: temporaryFolder },
  ])('R-25: reserves the name before the rows are gone, $store', async ({ folder }) => {
    const data = await folder()
    const service = new Conversation({ data, tableDeletion: { keepNameFor: 40_000 } })
    onTestFinished(() => service.local.close())
    const create = () => service.send('POST', '/Tables', { body: { TableName: 'people' } })
    await create()
    const [deleted, ...created] = await Promise.all([
      service.send('DELETE', "/Tables('people')"),
      ...Array.from({ length: 5 }, create),
    ])
    expect(deleted?.status).toBe(204)
    for (const response of created) expect(response.status).toBe(409)
    expect(codeOf(await create())).toEqual([409, 'TableBeingDeleted'])
  })

  it('R-25: keeps the name over a restart of a durable service, by its clock', async () => {
    const options = { data: await temporaryFolder(), tableDeletion: { keepNameFor: 40_000 } }
    const first = new Conversation(options)
    await first.send('POST', '/Tables', { body: { TableName: 'people' } })
    await first.send('DELETE', "/Tables('people')")
    await first.local.close()

    const second = new Conversation(options)
    onTestFinished(() => second.local.close())
    second.now += 39_999
    const create = () => second.send('POST', '/Tables', { body: { TableName: 'People' } })
    expect(codeOf(await create())).toEqual([409, 'TableBeingDeleted'])
    second.now += 1
    expect((await create()).status).toBe(201)
  })
})
