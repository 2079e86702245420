import type { HttpMethod } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { readAccountKeys } from '../../../packages/local/src/account/account.ts'
import { isOperationName } from '../../../packages/local/src/request/operation-name.ts'
import { requestFacts } from '../../../packages/local/src/request-log/request-log.ts'

const accounts = readAccountKeys([{ name: 'contoso', key: 'AAAA' }])
const nameOf = (method: HttpMethod, target: string, headers: Record<string, string> = {}) => {
  const [path = '', query = ''] = target.split('?')
  const origin = 'http://127.0.0.1'
  const head = { method, origin, path: `/contoso${path}`, query, headers }
  return requestFacts(accounts, head, undefined).operation
}

const row = "/people(PartitionKey='a',RowKey='b')"
const conditional = { 'if-match': '*' }

describe('the operation of a request in the log', () => {
  it.each([
    ['GET', '/?restype=service&comp=properties', 'getServiceProperties'],
    ['PUT', '/?restype=service&comp=properties', 'setServiceProperties'],
    ['GET', '/?comp=stats&restype=service', 'getServiceStats'],
    ['POST', '/$batch', 'entityGroupTransaction'],
    ['GET', '/Tables', 'queryTables'],
    ['POST', '/Tables', 'createTable'],
    ['GET', "/Tables('people')", 'getTable'],
    ['DELETE', "/Tables('people')", 'deleteTable'],
    ['GET', '/people?comp=acl', 'getTableAcl'],
    ['PUT', '/people?comp=acl', 'setTableAcl'],
    ['GET', '/people()?$top=1', 'queryEntities'],
    ['POST', '/people', 'insertEntity'],
    ['GET', row, 'getEntity'],
    ['PUT', row, 'insertOrReplaceEntity'],
    ['MERGE', row, 'insertOrMergeEntity'],
    ['PATCH', row, 'insertOrMergeEntity'],
    ['OPTIONS', '/people', 'preflightTableRequest'],
    ['GET', '/', undefined],
    ['DELETE', '/people', undefined],
    ['GET', '/people?comp=nonsense', undefined],
  ] as const)('returns for %s %s the name %s', (method, target, name) => {
    expect(nameOf(method, target)).toBe(name)
  })

  it.each([
    ['PUT', 'updateEntity'],
    ['MERGE', 'mergeEntity'],
    ['PATCH', 'mergeEntity'],
    ['DELETE', 'deleteEntity'],
    ['GET', 'getEntity'],
  ] as const)('returns for %s with If-Match the name %s', (method, name) => {
    expect(nameOf(method, row, conditional)).toBe(name)
  })

  it('uses the verb inside a tunnelled request', () => {
    expect(nameOf('POST', row, { 'x-http-method': 'MERGE', ...conditional })).toBe('mergeEntity')
  })
})

it('isOperationName accepts exactly the names of operations', () => {
  expect(['createTable', 'updateEntity', 'preflightTableRequest'].every(isOperationName)).toBe(true)
  expect(['updateentity', 'GET entity', '', null, ['getEntity']].some(isOperationName)).toBe(false)
})
