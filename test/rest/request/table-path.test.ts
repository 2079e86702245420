import { checkTableName } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withChecks } from '../../../packages/rest/src/endpoint/checks.ts'
import {
  entitySetPath,
  tablePath,
  tableSegment,
} from '../../../packages/rest/src/request/table-path.ts'
import { contoso, cosmos, emulator } from '../people.ts'

describe('checkTableName', () => {
  it.each(['abc', 'People', 'a1b', 'tables1', 'a'.repeat(63)])('R-01: accepts %s', (name) => {
    expect(() => checkTableName(name)).not.toThrow()
  })

  it.each([
    '',
    'ab',
    'a'.repeat(64),
    '1abc',
    'my-people',
    'my people',
    'übung',
    'abc\n',
    '\nabc',
    'abc/def',
    '..%2F',
    'tables',
    'Tables',
    'TABLES',
    '$batch',
  ])('R-01: rejects %j, and states the rule', (name) => {
    expect(() => checkTableName(name)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        code: 'InvalidTableName',
        message: expect.stringMatching(/a letter and then 2 to 62 letters and digits/),
      }),
    )
  })

  it.each([undefined, null, 7, {}, ['abc'], Symbol('abc')])(
    'rejects %o, which is not a string',
    (garbage) => {
      expect(() => checkTableName(garbage)).toThrow(
        expect.objectContaining({ code: 'InvalidTableName' }),
      )
    },
  )

  it('shortens a long name in the message', () => {
    expect(() => checkTableName('x'.repeat(100_000))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,300}$/) }),
    )
  })
})

describe('checkTableName for Cosmos DB', () => {
  it.each(['a', 'a-test-table', 'Tables2', '1', ' a', '表格', "it's", 'a(b)', 'x'.repeat(255)])(
    'R-177: accepts %j',
    (name) => expect(() => checkTableName(name, 'cosmos')).not.toThrow(),
  )

  it.each([
    '',
    'a ',
    'a/b',
    'a\\b',
    'a#b',
    'a?b',
    'x'.repeat(256),
    'Tables',
    '$batch',
    '..',
    '\ud800',
    7,
    undefined,
  ])('R-177: rejects %j, and states the rule', (name) => {
    expect(() => checkTableName(name, 'cosmos')).toThrow(
      expect.objectContaining({
        code: 'InvalidTableName',
        message: expect.stringContaining('1 to 255 characters, without / \\ # ?'),
      }),
    )
  })
})

describe('tablePath', () => {
  it('R-17: is below the tables of the account', () => {
    expect(tablePath(contoso, 'people')).toBe("/Tables('people')")
    expect(tablePath(emulator, 'people')).toBe("/devstoreaccount1/Tables('people')")
  })

  it('R-01: rejects an invalid name', () => {
    expect(() => tablePath(contoso, "x'")).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })
})

const lenient = withChecks(contoso, { tableNames: 'by the service' })

describe('tableSegment', () => {
  it('R-01: checks the name', () => {
    expect(tableSegment(contoso, 'people')).toBe('people')
    expect(() => tableSegment(contoso, 'my-people')).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })

  it.each([
    ['people', 'people'],
    ['my-people', 'my-people'],
    ["../x?y#'z", '..%2Fx%3Fy%23%27%27z'],
  ])('escapes %j when only the service checks names', (name, segment) => {
    expect(tableSegment(lenient, name).replaceAll("'", '%27')).toBe(segment)
  })

  it.each([
    ['a-test-table', '/a-test-table'],
    ['表格', '/%E8%A1%A8%E6%A0%BC'],
    ["a(PartitionKey='p',RowKey='r')", "/a%28PartitionKey%3D''p''%2CRowKey%3D''r''%29"],
  ])('R-177: escapes the name %j of a table on Cosmos DB', (name, path) => {
    expect(entitySetPath(cosmos, name)).toBe(path)
  })

  it.each(['', '\ud800', 5 as unknown as string])(
    'rejects a name that no path can contain',
    (name) => {
      expect(() => tableSegment(lenient, name)).toThrow(
        expect.objectContaining({ code: 'InvalidTableName' }),
      )
    },
  )
})

describe('entitySetPath', () => {
  it('R-17: is below the account', () => {
    expect(entitySetPath(contoso, 'people')).toBe('/people')
    expect(entitySetPath(emulator, 'people')).toBe('/devstoreaccount1/people')
  })

  it('R-01: rejects an invalid name', () => {
    expect(() => entitySetPath(contoso, 'a b')).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })
})
