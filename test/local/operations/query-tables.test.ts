import { beforeEach, describe, expect, it } from 'vitest'
import { queryTables } from '../../../packages/local/src/operations/query-tables.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { textOf } from '../../../packages/local/src/response/service-response.ts'
import { createService } from '../../../packages/local/src/service/create-service.ts'
import { Conversation, codeOf } from '../../support/local-conversation.ts'
import { place } from '../../support/local-place.ts'

const header = 'x-ms-continuation-nexttablename'

describe('queryTables', () => {
  let service: Conversation
  beforeEach(async () => {
    service = new Conversation()
    for (const name of ['gamma', 'Beta', 'alpha', 'betamax']) {
      await service.send('POST', '/Tables', { body: { TableName: name } })
    }
  })

  const list = async (query: string) => {
    const { body, headers } = await service.send('GET', `/Tables?${query}`)
    const { value } = JSON.parse(body) as { value: { TableName: string }[] }
    return { names: value.map((table) => table.TableName), next: headers[header] }
  }

  it('R-25: lists tables by their names in lower case', async () => {
    expect(await list('')).toEqual({
      names: ['alpha', 'Beta', 'betamax', 'gamma'],
      next: undefined,
    })
  })

  it('R-25: filters by TableName', async () => {
    const filter = encodeURIComponent("TableName ge 'beta' and TableName lt 'beta{'")
    expect((await list(`$filter=${filter}`)).names).toEqual(['betamax'])
  })

  it('R-32: pages by $top, and continues after the next table was deleted', async () => {
    const first = await list('$top=2')
    expect(first).toEqual({ names: ['alpha', 'Beta'], next: expect.stringMatching(/^1!\d+!/) })
    const from = `NextTableName=${encodeURIComponent(first.next as string)}`
    await service.send('DELETE', "/Tables('betamax')")
    expect(await list(`$top=2&${from}`)).toEqual({ names: ['gamma'], next: undefined })
  })

  it.each(['$top=1001', '$top=x', '$filter=TableName eq', 'NextTableName=x', '$what=1'])(
    'rejects %s',
    async (query) => {
      const response = await service.send('GET', `/Tables?${query}`)
      expect(codeOf(response)).toEqual([400, 'InvalidInput'])
    },
  )
})

it('R-32: a list of much work lets others run, and ends after 5 seconds with a token', async () => {
  let now = Date.UTC(2026, 0, 1)
  let rests = 0
  const rest = async () => {
    rests++
    now += 3_000
  }
  const service = createService({ now: () => now })
  const all = Array.from({ length: 900 }, (_, at) => `table${1_000 + at}`)
  for (const name of all) await service.store.createTable(place.account, name)
  const conditions = Array.from({ length: 99 }, (_, at) => `TableName eq '${at}'`)
  const filter = encodeURIComponent([...conditions, "TableName gt 'table'"].join(' or '))
  const found: string[] = []
  let pages = 0
  for (let token: string | undefined = ''; token !== undefined; pages++) {
    const query = `$filter=${filter}${token && `&NextTableName=${encodeURIComponent(token)}`}`
    const request = readRequest(
      { ...place, client: { rest } },
      {
        method: 'GET',
        resourcePath: '/Tables',
        query,
        headers: { accept: 'application/json' },
        body: '',
      },
    )
    const { body, headers } = await queryTables(service, request)
    const { value }: { value: { TableName: string }[] } = JSON.parse(textOf(body))
    found.push(...value.map(({ TableName }) => TableName))
    token = headers[header]
  }
  expect(found).toEqual(all)
  expect([rests > 2, pages]).toEqual([true, 3])
})
