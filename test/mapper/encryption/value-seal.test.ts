import { inspect } from 'node:util'
import { encryptionKeys } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { placeBytes, ValueSeal } from '../../../packages/mapper/src/encryption/value-seal.ts'

const k1 = Buffer.alloc(32, 1)
const keys = encryptionKeys({ current: 'k1', keys: { k1 } })
const lenient = encryptionKeys({ current: 'k1', keys: { k1 }, plaintext: 'read' })
const sealOf = (ring = keys, name = 'ssn') => new ValueSeal(ring, name, 'Person.ssn')
const seal = sealOf()
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
const ssn = { type: 'String', value: '123-45-6789' } as const
const stored = (value: Uint8Array) => ({ type: 'Binary', value }) as const
const thrown = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('ValueSeal', () => {
  it('decrypts a value to its original type', () => {
    expect(seal.open(stored(seal.close(ssn, key)), key)).toEqual(ssn)
    const points = { type: 'Int64', value: 5n } as const
    expect(seal.open(stored(seal.close(points, key)), key)).toEqual(points)
  })

  it.each<[string, () => unknown, string, string | undefined, RegExp]>([
    [
      'a value of another row',
      () => seal.open(stored(seal.close(ssn, key)), { ...key, rowKey: 'Ben' }),
      'tampered',
      'k1',
      /another entity/,
    ],
    [
      'a value of another property',
      () => seal.open(stored(sealOf(keys, 'other').close(ssn, key)), key),
      'tampered',
      'k1',
      /another entity or property/,
    ],
    [
      'a value under a key that is gone',
      () => {
        const gone = encryptionKeys({ current: 'k0', keys: { k0: k1 } })
        return seal.open(stored(sealOf(gone).close(ssn, key)), key)
      },
      'unknownKey',
      'k0',
      /Add that key/,
    ],
    ['a text in the clear', () => seal.open(ssn, key), 'plaintext', undefined, /plaintext: 'read'/],
    ['bytes in the clear', () => seal.open(stored(k1), key), 'malformed', undefined, /format/],
  ])('rejects %s, and names the property and the key', (_what, act, reason, keyId, message) => {
    const error = thrown(act)
    expect(error).toMatchObject({ name: 'DecodeError', code: 'DecryptionFailed' })
    expect(error).toMatchObject({
      code: 'DecryptionFailed',
      details: { reason, keyId, property: 'Person.ssn' },
    })
    expect((error as Error).message).toMatch(/^Person\.ssn/)
    expect((error as Error).message).toMatch(message)
    expect(inspect(error, { depth: 9 })).not.toMatch(/123-45/)
  })

  it('reads plain values while a table is being encrypted, but no altered value', () => {
    expect(sealOf(lenient).open(ssn, key)).toEqual(ssn)
    expect(sealOf(lenient).open(stored(k1), key)).toEqual(stored(k1))
    const closed = seal.close(ssn, key)
    closed[closed.length - 1] = (closed.at(-1) as number) ^ 1
    expect(thrown(() => sealOf(lenient).open(stored(closed), key))).toMatchObject({
      details: { reason: 'tampered' },
    })
  })
})

describe('placeBytes', () => {
  it('is both keys and the stored name, each with its length', () => {
    const bytes = placeBytes({ partitionKey: 'é', rowKey: '' }, 'ab')
    expect([...bytes]).toEqual([0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 0, 0, 0, 0, 2, 0x61, 0x62])
  })

  it('differs where only the border between the keys does', () => {
    const at = (partitionKey: string, rowKey: string) => placeBytes({ partitionKey, rowKey }, 'n')
    expect(at('ab', 'c')).not.toEqual(at('a', 'bc'))
  })
})
