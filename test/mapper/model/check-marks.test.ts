import { defineEntity, key, ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

function define(more: object) {
  const schema = z.object({ id: z.string(), EntityType: z.string(), Version: z.number() })
  const keys = { partitionKey: key`${'id'}`, rowKey: key`row` }
  return defineEntity({ name: 'rows', ...keys, schema, ...more })
}

describe('checkMarks', () => {
  it('rejects a mark under the stored name of a property, or of another mark', () => {
    expect(() => define({ discriminator: { EntityType: 'X' } })).toThrow(ModelError)
    expect(() => define({ discriminator: { EntityType: 'X' } })).toThrow(
      "'EntityType' stores its type or version, but EntityType has that name, too",
    )
    expect(() => define({ version: 1 })).toThrow("'Version' stores its type or version")
    const both = { version: 1, versionProperty: 'Kind', discriminator: { Kind: 'X' } }
    expect(() => define(both)).toThrow('its type has that name, too')
    expect(() => define({ version: 1, versionProperty: 'SchemaVersion' })).not.toThrow()
  })
})
