import { describe, expect, it } from 'vitest'
import { checkKey } from '../../../packages/local/src/keys/check-key.ts'

const check = (partitionKey: string, rowKey = '') => checkKey({ partitionKey, rowKey })

describe('checkKey', () => {
  it.each(['', ' ', 'a b', "O'Brien", '100%', '画家 😀', 'é'.repeat(512)])(
    'R-06: accepts %j',
    (text) => {
      expect(() => checkKey({ partitionKey: text, rowKey: text })).not.toThrow()
    },
  )

  it.each(['/', '\\', '#', '?', '\u0000', '\t', '\n', '\u001f', '\u007f', '\u009f', '\ud800'])(
    'R-06: rejects a key that contains %j',
    (character) => {
      expect(() => check(`a${character}b`)).toThrow(
        expect.objectContaining({
          code: 'OutOfRangeInput',
          message: `The 'PartitionKey' parameter of value 'a${character}b' is out of range.`,
        }),
      )
      expect(() => check('a', character)).toThrow(
        expect.objectContaining({ message: expect.stringContaining("The 'RowKey' parameter") }),
      )
    },
  )

  it('R-06: rejects a key of more than 512 UTF-16 units', () => {
    expect(() => check('a'.repeat(513))).toThrow(
      expect.objectContaining({ code: 'KeyValueTooLarge', status: 400 }),
    )
  })
})
