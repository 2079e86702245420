import { describe, expect, it } from 'vitest'
import { chooseOperation } from '../../../packages/local/src/operations/choose-operation.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'

const choose = (method: string, resourcePath: string, query = '') =>
  chooseOperation(readRequest(place, { method, resourcePath, query, headers: {}, body: '' }))

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
    ['GET', '/people?comp=acl', 'getTableAcl'],
    ['PUT', '/people?comp=acl&timeout=5', 'setTableAcl'],
    ['GET', '/?restype=service&comp=properties', 'getServiceProperties'],
    ['PUT', '/?comp=properties&restype=service', 'setServiceProperties'],
    ['GET', '/?restype=service&comp=stats', 'getServiceStats'],
  ])('R-17: maps %s %s to %s', (method, target, name) => {
    const [path = '', query] = target.split('?')
    expect(choose(method, path, query).name).toBe(name)
  })

  it.each([
    ['DELETE', '/Tables', '', 'MethodNotAllowed'],
    ['constructor', '/people', '', 'MethodNotAllowed'],
    ['GET', '/', '', 'InvalidUri'],
    ['POST', '/people', 'comp=acl', 'MethodNotAllowed'],
    ['PUT', '/', 'restype=service&comp=stats', 'MethodNotAllowed'],
    ['GET', '/people', 'comp=lease', 'InvalidQueryParameterValue'],
    ['GET', '/people', 'restype=service&comp=acl', 'InvalidQueryParameterValue'],
    ['GET', '/Tables', 'comp=acl', 'InvalidQueryParameterValue'],
    ['GET', '/', 'restype=service', 'InvalidQueryParameterValue'],
    ['GET', '/', 'comp=properties', 'InvalidQueryParameterValue'],
  ])('rejects %s %s?%s with %s', (method, path, query, code) => {
    expect(() => choose(method, path, query)).toThrow(expect.objectContaining({ code }))
  })
})
