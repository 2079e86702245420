import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, codeOf } from '../../support/local-conversation.ts'

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
