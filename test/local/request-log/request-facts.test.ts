import { describe, expect, it } from 'vitest'
import { readAccountKeys } from '../../../packages/local/src/account/account.ts'
import { requestFacts } from '../../../packages/local/src/request-log/request-facts.ts'

const accounts = readAccountKeys([{ name: 'contoso', key: 'AAAA' }])
const factsOf = (path: string, bodyTable?: string) =>
  requestFacts(
    accounts,
    { method: 'GET', origin: 'http://localhost', path, query: '', headers: {} },
    bodyTable,
  )

describe('requestFacts', () => {
  it('describes a request', () => {
    expect(factsOf("/contoso-secondary/people(PartitionKey='a',RowKey='b')")).toEqual({
      method: 'GET',
      operation: 'getEntity',
      account: 'contoso',
      location: 'secondary',
      table: 'people',
    })
    expect(factsOf('/contoso/Tables', 'people')).toMatchObject({
      operation: 'queryTables',
      location: 'primary',
      table: 'people',
    })
  })

  it.each(['/', '/fabrikam/Tables', '/contoso/%ff', '/contoso/people(x)', ''])(
    'knows nothing of a request to %j, and does not throw',
    (path) => {
      expect(factsOf(path)).toEqual({
        method: 'GET',
        operation: undefined,
        account: undefined,
        location: 'primary',
        table: undefined,
      })
    },
  )
})
