import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { SasCredential, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { TableNames } from '../../../../packages/mapper/src/table/admin/list-tables.ts'
import { longTest } from '../../../support/cases-to-play.ts'
import { freshAccount } from '../../fresh-account.ts'

describe('TableNames', () => {
  longTest('R-31: lists the tables that fit, over all pages', async () => {
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
      credential: new SasCredential(
        'sv=2019-02-02&ss=t&srt=sco&sp=rl&se=2099-01-01&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
      ),
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

  it('R-31: find all that begin with a text', async () => {
    const people =
      "TableName ge 'PEOPLE' and TableName lt 'People{' or TableName ge 'pEOPLE' and TableName lt 'people{'"
    await account.tables({ prefix: 'People' }).byPage().next()
    expect(filterOf()).toBe(`$filter=${people}`)
  })

  it('carry any text', async () => {
    await account.tables({ prefix: "o'x" }).byPage().next()
    expect(filterOf()).toContain("TableName ge 'o''X'")
  })

  it('are absent without a condition', async () => {
    await account.tables({ prefix: '' }).byPage().next()
    expect(filterOf()).toBe('')
  })

  it('list tables under their names in any case, and a page has no more names than asked for', async () => {
    for (const name of ['LOGS1', 'Logs2', 'lost', 'mails', 'logS3']) await account.createTable(name)
    const pages = account.tables({ prefix: 'logs', pageSize: 2 }).byPage()
    const found: (readonly string[])[] = []
    for await (const { names } of pages) found.push(names)
    expect(found).toEqual([['LOGS1', 'Logs2'], ['logS3']])
    expect(await account.table('logs1').exists()).toBe(true)
    expect(await account.table('log').exists()).toBe(false)
    // It asks for the one table, however many have names that begin alike.
    expect(sent.at(-1)?.path).toContain('Tables(')
  })

  it('tell names in another case apart on Cosmos DB', async () => {
    const { transport, connectionString } = localTableService({ flavour: 'cosmos' })
    const cosmos = new Account(
      tableService({ connectionString: connectionString(), transport, flavour: 'cosmos' }),
    )
    for (const name of ['Logs', 'logs|1', 'lot']) await cosmos.createTable(name)
    const found: string[] = []
    for await (const name of cosmos.tables({ prefix: 'logs' })) found.push(name)
    expect(found).toEqual(['logs|1'])
    expect(await cosmos.table('Logs').exists()).toBe(true)
    expect(await cosmos.table('logs').exists()).toBe(false)
  })
})
