import { defineEntity, Entity, key } from '@rowkey/mapper'

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { versionRules } from '../../../packages/mapper/src/model/version-options.ts'

describe('versionRules', () => {
  it('are options of @Entity and of defineEntity, and misspelt ones are not', () => {
    const schema = z.object({ id: z.string() })
    const keys = { name: 'rows', partitionKey: key`${'id'}`, rowKey: key`row`, schema }
    for (const name of Object.keys(versionRules)) {
      expect(() => Entity({ name: 'rows', [name]: undefined })).not.toThrow()
      expect(() => Entity({ name: 'rows', [`${name}s`]: 1 })).toThrow(
        expect.objectContaining({ code: 'UnknownOption' }),
      )
      expect(() => defineEntity({ ...keys, [`${name}s`]: 1 })).toThrow(
        expect.objectContaining({ code: 'UnknownOption' }),
      )
    }
  })
})
