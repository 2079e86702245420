import {
  Encrypted,
  Entity,
  encryptionKeys,
  key,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
  signingKeys,
  Text,
} from '@rowkey/mapper'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'

const bytes = Buffer.alloc(32, 1)
const keys = encryptionKeys({ current: 'k', keys: { k: bytes } })
const signing = signingKeys({ current: 's', keys: { s: bytes }, property: 'sig' })

describe('checkSecrets', () => {
  it('rejects an encrypted part of a key, because keys are never encrypted', () => {
    @Entity({ partitionKey: key`${'ssn'}` })
    class Leaking {
      @Encrypted(keys) ssn: Secret<string> = ''
      @RowKey() id = ''
    }
    expect(() => modelOf(Leaking)).toThrow(ModelError)
    expect(() => modelOf(Leaking)).toThrow(
      /Leaking\.ssn.*part of the key, which is never encrypted/,
    )
  })

  it('rejects a member that is stored where the signature is', () => {
    @Entity({ signing })
    class Twice {
      @PartitionKey() customer = ''
      @RowKey() id = ''
      sig = ''
    }
    expect(() => modelOf(Twice)).toThrow(/Twice\.sig.*the name of the signature/)
    @Entity({ signing: signingKeys({ current: 's', keys: { s: bytes }, property: 'notes_2' }) })
    class Cut {
      @PartitionKey() customer = ''
      @RowKey() id = ''
      @Text() notes = ''
    }
    expect(() => modelOf(Cut)).toThrow(/Cut\.notes.*'notes_2'.*the name of the signature/)
  })

  it('rejects invalid signing keys', () => {
    @Entity({ signing: keys as never })
    class Wrong {
      @PartitionKey() customer = ''
      @RowKey() id = ''
    }
    expect(() => modelOf(Wrong)).toThrow(/^Wrong: signing must be signing keys/)
  })

  it('accepts a class that is encrypted and signed', () => {
    @Entity({ signing })
    class Both {
      @PartitionKey() customer = ''
      @RowKey() id = ''
      @Encrypted(keys) ssn: Secret<string> = ''
    }
    const model = modelOf(Both)
    expect(model.signing).toBe(signing)
    expect(model.columns[0]?.encryption).toBe(keys)
  })
})
