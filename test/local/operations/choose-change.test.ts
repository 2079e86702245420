import { describe, expect, it } from 'vitest'
import { chooseChange } from '../../../packages/local/src/operations/change-entity.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'

const entity = "/people(PartitionKey='',RowKey='')"
const nameOf = (method: string, target: string, headers: Record<string, string> = {}) => {
  const [resourcePath = '', query = ''] = target.split('?')
  const request = readRequest(place, { method, resourcePath, query, headers, body: '' })
  return chooseChange(request) && request.operation
}

describe('chooseChange', () => {
  it.each([
    ['POST', '/people', {}, 'insertEntity'],
    ['PUT', entity, {}, 'insertOrReplaceEntity'],
    ['PUT', entity, { 'if-match': '*' }, 'updateEntity'],
    ['MERGE', entity, {}, 'insertOrMergeEntity'],
    ['PATCH', entity, { 'if-match': '*' }, 'mergeEntity'],
    ['DELETE', entity, {}, 'deleteEntity'],
    ['GET', entity, {}, undefined],
    ['PUT', `${entity}?comp=acl`, {}, undefined],
    ['PUT', `${entity}?comp=if-match`, {}, undefined],
    ['POST', entity, {}, undefined],
    ['PUT', '/people', {}, undefined],
    ['POST', '/Tables', {}, undefined],
    ['POST', '/$batch', {}, undefined],
  ])('R-44: maps %s %s with %j to %s', (method, path, headers, name) => {
    expect(nameOf(method, path, headers as unknown as Record<string, string>)).toBe(name)
  })
})
