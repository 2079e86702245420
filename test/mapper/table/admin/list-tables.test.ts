import { SasCredential, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { TableNames } from '../../../../packages/mapper/src/table/admin/list-tables.ts'
import { freshAccount } from '../../fresh-account.ts'

describe('TableNames', () => {
  it('R-31: lists the tables that fit, over all pages', async () => {
    const { account, service, sent } = freshAccount()
    const names = Array.from({ length: 1001 }, (_, at) => `t${String(at).padStart(4, '0')}`)
    for (const name of names) await account.createTable(name)
    sent.length = 0
    const found: string[] = []
    for await (const name of new TableNames(service, {})) found.push(name)
    expect(found).toEqual(names)
    expect(sent).toHaveLength(2)
  })

  it('stops when the service leads in a circle', async () => {
    let calls = 0
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: new SasCredential('sv=2019-02-02&ss=t&srt=sco&sp=rl&se=2099-01-01&sig=x'),
      transport: async () => ({
        status: 200,
        headers: { 'x-ms-continuation-nexttablename': ++calls % 2 === 0 ? 'a' : 'b' },
        body: '{"value":[]}',
      }),
    })
    const tables = new TableNames(service, {})[Symbol.asyncIterator]()
    await expect(tables.next()).rejects.toMatchObject({ code: 'ContinuationLoop' })
  })
})

describe('the filters of names', () => {
  const { account, sent } = freshAccount()
  const filterOf = () => decodeURIComponent(sent.at(-1)?.query ?? '')

  it('R-31: find one name, or all that begin with a text', async () => {
    await account.table('people').exists()
    expect(filterOf()).toBe("$filter=TableName eq 'people'")
    await account.tables({ prefix: 'log' }).byPage().next()
    expect(filterOf()).toBe("$filter=TableName ge 'log' and TableName lt 'log{'")
  })

  it('carry any text', async () => {
    await account.tables({ prefix: "o'x" }).byPage().next()
    expect(filterOf()).toContain("TableName ge 'o''x'")
  })

  it('are absent without a condition', async () => {
    await account.tables({ prefix: '' }).byPage().next()
    expect(filterOf()).toBe('')
  })
})
