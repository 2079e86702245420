import type { EdmType, EdmValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkEntity } from '../../../packages/local/src/entity/check-entity.ts'
import type { StoredProperty } from '../../../packages/local/src/entity/entity-text.ts'
import { printedProperties } from '../../support/stored-row.ts'

const key = { partitionKey: 'p', rowKey: 'r' }
const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

const check = (...values: readonly (readonly [EdmType, EdmValue])[]) =>
  checkEntity(
    key,
    printedProperties(
      values.map(([type, value], at) => [`p${at}`, { type, value } as StoredProperty]),
    ),
  )

const many = (count: number) =>
  Array.from({ length: count }, () => ['Int32', 1] as const satisfies readonly [EdmType, EdmValue])

describe('checkEntity', () => {
  it('accepts 252 properties and no more', () => {
    expect(() => check(...many(252))).not.toThrow()
    expect(() => check(...many(253))).toThrow(code('TooManyProperties'))
  })

  it('R-08: accepts a String of 32,768 units and a Binary of 65,536 bytes, and no more', () => {
    expect(() =>
      check(['String', 'é'.repeat(32_768)], ['Binary', new Uint8Array(65_536)]),
    ).not.toThrow()
    expect(() => check(['String', 'a'.repeat(32_769)])).toThrow(code('PropertyValueTooLarge'))
    expect(() => check(['Binary', new Uint8Array(65_537)])).toThrow(code('PropertyValueTooLarge'))
  })

  it('accepts an entity of 1 MiB and not a byte more', () => {
    // 4 + 2 × 2 for the keys; 12 + 2 × 2 + n for each Binary of n bytes.
    const binary = (length: number) => ['Binary', new Uint8Array(length)] as const
    const fifteen = Array.from({ length: 15 }, () => binary(65_536))
    const rest = 1_048_576 - 8 - 15 * (12 + 4 + 65_536) - 5 * 2 - (12 + 6)
    expect(() => check(...fifteen, binary(rest))).not.toThrow()
    expect(() => check(...fifteen, binary(rest + 1))).toThrow(code('EntityTooLarge'))
  })

  it('reports a single property of a mebibyte as EntityTooLarge', () => {
    expect(() => check(['Binary', new Uint8Array(2 ** 20)])).toThrow(code('EntityTooLarge'))
  })
})
