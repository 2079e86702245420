import { describe, expect, it } from 'vitest'
import { readCall } from '../../../packages/local/src/call/read-call.ts'
import { chooseOperation } from '../../../packages/local/src/operations/choose-operation.ts'

const place = { requestId: '1', account: 'contoso', origin: 'http://localhost', basePath: '' }
const choose = (method: string, resourcePath: string, query = '') =>
  chooseOperation(readCall(place, { method, resourcePath, query, headers: {}, body: '' }))

describe('chooseOperation', () => {
  it.each([
    ['GET', '/Tables', 'queryTables'],
    ['POST', '/Tables', 'createTable'],
    ['GET', "/Tables('a')", 'getTable'],
    ['DELETE', "/Tables('a')", 'deleteTable'],
    ['GET', '/people', 'queryEntities'],
    ['GET', "/people(PartitionKey='',RowKey='')", 'getEntity'],
    ['POST', '/people', 'changeEntity'],
    ['POST', '/$batch', 'entityGroupTransaction'],
  ])('takes %s %s for %s', (method, path, name) => {
    expect(choose(method, path).name).toBe(name)
  })

  it.each([
    ['DELETE', '/Tables', '', 'MethodNotAllowed'],
    ['constructor', '/people', '', 'MethodNotAllowed'],
    ['GET', '/', '', 'InvalidUri'],
    ['GET', '/people', 'comp=acl', 'NotImplemented'],
    ['GET', '/', 'restype=service', 'NotImplemented'],
  ])('refuses %s %s?%s with %s', (method, path, query, code) => {
    expect(() => choose(method, path, query)).toThrow(expect.objectContaining({ code }))
  })
})
