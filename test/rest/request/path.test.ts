import { checkEntityKey, checkKeyText } from '@rowkey/odata'
import { checkTableName, keyCheckOf } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withChecks } from '../../../packages/rest/src/endpoint/checks.ts'
import { entityPath, entitySetPath, tableSegment } from '../../../packages/rest/src/request/path.ts'
import { contoso, cosmos, emulator } from '../people.ts'

describe('checkTableName', () => {
  it.each(['abc', 'People', 'a1b', 'tables1', 'a'.repeat(63), '$MetricsCapacityBlob'])(
    'R-01: accepts %s',
    (name) => {
      expect(() => checkTableName(name)).not.toThrow()
    },
  )

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

const pathOf = (partitionKey: string, rowKey = '') =>
  entityPath(contoso, 'people', { partitionKey, rowKey })

describe('entityPath', () => {
  it('R-17: addresses one entity, in path style below the account', () => {
    expect(pathOf('Smith', 'Jeff')).toBe("/people(PartitionKey='Smith',RowKey='Jeff')")
    expect(entityPath(emulator, 'people', { partitionKey: '', rowKey: '' })).toBe(
      "/devstoreaccount1/people(PartitionKey='',RowKey='')",
    )
  })

  it.each([
    ["O'Neil", "O''Neil"],
    ['100%', '100%25'],
    ['%25', '%2525'],
    ['a b+c&d=e;f@g:h', 'a%20b%2Bc%26d%3De%3Bf%40g%3Ah'],
    ['é', '%C3%A9'],
    ['😀', '%F0%9F%98%80'],
    ["a-ô-'-%20", "a-%C3%B4-''-%2520"],
  ])('R-23: escapes %s exactly once', (key, escaped) => {
    expect(pathOf(key)).toBe(`/people(PartitionKey='${escaped}',RowKey='')`)
  })

  it('R-23: reads back after one decoding and unescaping quotes', () => {
    const key = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no key may hold
      .map((text) => text.replace(/[/\\#?\u0000-\u001f\u007f-\u009f]/g, ''))
    fc.assert(
      fc.property(key, key, (partitionKey, rowKey) => {
        const path = pathOf(partitionKey, rowKey)
        expect(path).toMatch(/^[\x21-\x7e]+$/)
        const literal = "'((?:[^']|'')*)'"
        const address = new RegExp(`^/people\\(PartitionKey=${literal},RowKey=${literal}\\)$`)
        const keys = address
          .exec(path)
          ?.slice(1)
          .map((part) => decodeURIComponent(part).replaceAll("''", "'"))
        expect(keys).toEqual([partitionKey, rowKey])
      }),
    )
  })

  it.each(['a/b', 'a\\b', 'a#b', 'a?b', 'a\nb', 'a\u007fb', 'x'.repeat(513), '\ud800'])(
    'rejects the key %j',
    (key) => {
      expect(() => pathOf(key)).toThrow(
        expect.objectContaining({
          code: 'InvalidEntityKey',
          details: { property: 'PartitionKey' },
        }),
      )
      expect(() => pathOf('', key)).toThrow(
        expect.objectContaining({ code: 'InvalidEntityKey', details: { property: 'RowKey' } }),
      )
    },
  )

  it.each([undefined, null, 7, {}])('rejects the key %j', (key) => {
    expect(() => pathOf(key as string)).toThrow(
      expect.objectContaining({ code: 'InvalidEntityKey' }),
    )
  })

  it('R-06: escapes any key when only the service checks keys', () => {
    const lenient = withChecks(contoso, { keys: 'by the service' })
    const key = { partitionKey: "a/b?c#d\\e'", rowKey: 'x'.repeat(513) }
    expect(entityPath(lenient, 'people', key)).toBe(
      `/people(PartitionKey='a%2Fb%3Fc%23d%5Ce''',RowKey='${'x'.repeat(513)}')`,
    )
    for (const partitionKey of ['\ud800', 7 as unknown as string]) {
      expect(() => entityPath(lenient, 'people', { partitionKey, rowKey: '' })).toThrow(
        expect.objectContaining({ code: 'InvalidEntityKey' }),
      )
    }
  })

  it('R-01: rejects a table name that would address something else', () => {
    const key = { partitionKey: '', rowKey: '' }
    expect(() => entityPath(contoso, '..%2F..%2Fother', key)).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })
})

it('applies the rules of the service, unless only the service checks', () => {
  expect(keyCheckOf(contoso)).toBe(checkEntityKey)
  expect(keyCheckOf(withChecks(contoso, { entitySize: 'by the service' }))).toBe(checkEntityKey)
  expect(keyCheckOf(withChecks(contoso, { keys: 'by the service' }))).toBe(checkKeyText)
})

describe('the keys of Cosmos DB', () => {
  const check = keyCheckOf(cosmos)
  const rejected = (property: string, message: string) =>
    expect.objectContaining({
      name: 'InputError',
      code: 'InvalidEntityKey',
      details: { property },
      message: expect.stringContaining(message),
    })

  it('R-177: are not empty', () => {
    const [partitionKey, rowKey] = ['p', 'r']
    expect(() => check({ partitionKey: '', rowKey })).toThrow(
      rejected('PartitionKey', 'PartitionKey must not be empty on Cosmos DB'),
    )
    expect(() => check({ partitionKey, rowKey: '' })).toThrow(
      rejected('RowKey', 'RowKey must not be empty on Cosmos DB'),
    )
  })

  it('R-177: have at most 255 bytes in RowKey', () => {
    const partitionKey = 'p'.repeat(512)
    for (const rowKey of ['x'.repeat(255), '€'.repeat(85), 'é'.repeat(127)]) {
      expect(() => check({ partitionKey, rowKey })).not.toThrow()
    }
    expect(() => check({ partitionKey, rowKey: 'é'.repeat(128) })).toThrow(
      rejected('RowKey', 'RowKey has 256 bytes as UTF-8, but at most 255'),
    )
  })

  it('follow the rules of Table storage, too', () => {
    expect(() => check({ partitionKey: 'a/b', rowKey: 'r' })).toThrow(
      rejected('PartitionKey', 'must not contain /'),
    )
  })

  it('R-06: are left to the service when only the service checks keys', () => {
    expect(keyCheckOf(withChecks(cosmos, { keys: 'by the service' }))).toBe(checkKeyText)
  })
})
