import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printEntityPath, printTablePath } from '../../../packages/local/src/entity/encode-table.ts'
import { checkTableName } from '../../../packages/local/src/operations/create-table.ts'
import { KEY_GRANT, routeResource } from '../../../packages/local/src/request/service-request.ts'

describe('KEY_GRANT', () => {
  it('allows everything', () => {
    expect(KEY_GRANT).toEqual({ kind: 'key' })
  })
})

function isTableName(name: string, flavour: 'cosmos'): boolean {
  try {
    checkTableName(name, flavour)
    return true
  } catch {
    return false
  }
}

describe('routeResource', () => {
  it.each([
    ['/', { kind: 'account' }],
    ['/$batch', { kind: 'batch' }],
    ['/%24batch', { kind: 'batch' }],
    ['/Tables', { kind: 'tables' }],
    ['/Tables()', { kind: 'tables' }],
    ["/Tables('people')", { kind: 'table', table: 'people' }],
    ['/tables%28%27people%27%29', { kind: 'table', table: 'people' }],
    ['/people', { kind: 'entities', table: 'people' }],
    ['/people()', { kind: 'entities', table: 'people' }],
    ['/people(%20)', { kind: 'entities', table: 'people' }],
    ['/people%28%29', { kind: 'entities', table: 'people' }],
    ['/Tables/', { kind: 'tables' }],
    ['/$batch/', { kind: 'batch' }],
    ["/Tables('people')/", { kind: 'table', table: 'people' }],
    ['/people/', { kind: 'entities', table: 'people' }],
    ['/people()/', { kind: 'entities', table: 'people' }],
    ['/%E8%A1%A8', { kind: 'entities', table: '表' }],
    ['/a%28b%29', { kind: 'entities', table: 'a(b)' }],
    ['/a%28b%29()', { kind: 'entities', table: 'a(b)' }],
    ["/it''s", { kind: 'entities', table: "it's" }],
    ["/it's", { kind: 'entities', table: "it's" }],
  ])('reads %s', (path, resource) => {
    expect(routeResource(path)).toEqual(resource)
  })

  it.each([
    ["/people(PartitionKey='Smith',RowKey='Jeff')", 'Smith', 'Jeff'],
    ["/people(PartitionKey='Smith', RowKey='Jeff')", 'Smith', 'Jeff'],
    ["/people(RowKey='Jeff',PartitionKey='Smith')", 'Smith', 'Jeff'],
    ["/people(PartitionKey='',RowKey='')", '', ''],
    ["/people(PartitionKey='O''Brien',RowKey='''')", "O'Brien", "'"],
    [
      "/people(PartitionKey='a%20b%2525',RowKey='(1),RowKey=%27%272%27%27')",
      'a b%25',
      "(1),RowKey='2'",
    ],
    ['/people%28PartitionKey%3D%27%E7%94%BB%27%2CRowKey%3D%27b%27%29', '画', 'b'],
    ["/people(PartitionKey='a%0Ab',RowKey='c')", 'a\nb', 'c'],
  ])('reads the keys of %s', (path, partitionKey, rowKey) => {
    const key = { partitionKey, rowKey }
    expect(routeResource(path)).toEqual({ kind: 'entity', table: 'people', key })
  })

  it('reads every address that a response contains', () => {
    const texts = fc.string({ unit: 'grapheme' })
    const names = texts.filter((name) => isTableName(name, 'cosmos'))
    fc.assert(
      fc.property(names, texts, fc.string(), (table, partitionKey, rowKey) => {
        const key = { partitionKey, rowKey }
        expect(routeResource(`/${printEntityPath(table, key)}`)).toEqual({
          kind: 'entity',
          table,
          key,
        })
        expect(routeResource(`/${printTablePath(table)}`)).toEqual({ kind: 'table', table })
      }),
    )
  })

  it.each([
    '/a/b',
    '//',
    '/%',
    '/%ff',
    '/()',
    '/people(',
    '/people)',
    '/people()x',
    "/people(PartitionKey='a',PartitionKey='b')",
    "/people(PartitionKey='a',RowKey=1)",
    "/people(PartitionKey='a'',RowKey='b')",
    "/people(PartitionKey='a' RowKey='b')",
    '/Tables(x)',
    "/Tables('x','y')",
  ])('rejects %s', (path) => {
    expect(() => routeResource(path)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidUri' }),
    )
  })

  it.each(["/people('a')", "/people(PartitionKey='a')", "/people( RowKey = 'a''b' )"])(
    'rejects one key instead of two: %s',
    (path) => {
      expect(() => routeResource(path)).toThrow(
        expect.objectContaining({
          status: 400,
          code: 'InvalidInput',
          message:
            "The number of keys specified in the URI does not match number of key properties for the resource 'people'.",
        }),
      )
    },
  )
})
