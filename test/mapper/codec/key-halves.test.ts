import { modelOf } from '@rowkey/mapper'
import { checkEntityKey, checkKeyText } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { KeyHalves, openWithKey } from '../../../packages/mapper/src/codec/key-halves.ts'
import { invalidKey } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'

const keys = new KeyHalves(modelOf(Customer), checkEntityKey)

describe('KeyHalves', () => {
  it('reads back what it writes', () => {
    const members: Record<string, unknown> = {}
    keys.read(members, { PartitionKey: 'Smith', RowKey: 'Jeff' })
    expect(keys.write(members)).toEqual({ partitionKey: 'Smith', rowKey: 'Jeff' })
  })

  it('names the member with an invalid key', () => {
    const write = (lastName: unknown, firstName: unknown) => () =>
      keys.write({ lastName, firstName })
    expect(write('a/b', 'c')).toThrow(invalidKey)
    expect(write('a/b', 'c')).toThrow(/^Customer\.lastName: PartitionKey must not contain /)
    expect(write('a', undefined)).toThrow(
      /^Customer\.firstName: RowKey must be a string; got undefined\./,
    )
  })

  it('checks by the check that it was given', () => {
    const lenient = new KeyHalves(modelOf(Customer), checkKeyText)
    const key = lenient.write({ lastName: 'a/b', firstName: '"' })
    expect(openWithKey(key)).toBe('{"PartitionKey":"a/b","RowKey":"\\""')
  })
})
