import { describe, expect, it } from 'vitest'
import { checkMemberName } from '../../../packages/local/src/entity/decode-properties.ts'

const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('checkMemberName', () => {
  it.each(['a', '_', 'Größe', '名前', 'a1_', '__proto__', 'é'.repeat(255)])(
    'accepts %s',
    (name) => {
      expect(() => checkMemberName(name)).not.toThrow()
    },
  )

  it.each(['', '1a', 'a-b', 'a b', 'a.b', 'a@b', 'a\u0000', '😀'])('rejects %j', (name) => {
    expect(() => checkMemberName(name)).toThrow(code('PropertyNameInvalid'))
  })

  it('rejects a name of more than 255 units with its own code', () => {
    expect(() => checkMemberName('a'.repeat(256))).toThrow(code('PropertyNameTooLong'))
  })
})
