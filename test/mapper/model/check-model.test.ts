import {
  defineEntity,
  Encrypted,
  Entity,
  type EntityClass,
  type EntityModel,
  ETag,
  encryptionKeys,
  Ignore,
  type KeyCodec,
  key,
  lifetime,
  ModelError,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
  signingKeys,
  Text,
} from '@rowkey/mapper'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkModel } from '../../../packages/mapper/src/model/check-model.ts'
import { invalidName } from '../../support/rejections.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}
const column = (property: string, name = property) => ({ property, name, type: undefined })
const check = (columns: readonly ReturnType<typeof column>[], sample: object = {}) =>
  checkModel({ ...modelOf(Person), columns }, sample)

describe('checkModel', () => {
  it('accepts every name that the service accepts', () => {
    expect(() => check([column('age'), column('größe'), column('_x', 'x1')])).not.toThrow()
  })

  it('rejects one stored name for two members; upper and lower case differ', () => {
    expect(() => check([column('a', 'x'), column('b', 'x')])).toThrow(
      /^Person\.b: It is stored as 'x', and so is a\..*@StoreAs/,
    )
    expect(() => check([column('a', 'x'), column('b', 'X')])).not.toThrow()
  })

  it.each(['PartitionKey', 'RowKey', 'Timestamp'])('R-05: rejects %s as a stored name', (name) => {
    expect(() => check([column(name)])).toThrow(ModelError)
    expect(() => check([column('other', name)])).toThrow(
      `Person.other: The stored name '${name}' is reserved for the service.`,
    )
  })

  it.each(['first-name', '1st', 'a b', '', 'x'.repeat(256)])(
    'R-02: rejects %j as a stored name',
    (name) => {
      expect(() => check([column('member', name)])).toThrow(
        expect.objectContaining({
          code: 'InvalidModel',
          property: 'member',
          cause: invalidName,
        }),
      )
    },
  )

  it('R-03: rejects more than 252 columns', () => {
    const columns = (count: number) => Array.from({ length: count }, (_, at) => column(`c${at}`))
    expect(() => check(columns(252))).not.toThrow()
    expect(() => check(columns(253))).toThrow(/253 properties.* at most 252/)
  })

  it.each([
    ['an array', ['a']],
    ['a Map', new Map()],
    ['a symbol', Symbol('x')],
  ])('rejects a field that begins as %s', (_what, value) => {
    expect(() => check([column('tags')], { tags: value })).toThrow(/^Person\.tags: .*@Ignore\(\)/)
  })

  it('accepts a field whose initial value is null or undefined', () => {
    expect(() => check([column('a'), column('b')], { a: null, b: undefined })).not.toThrow()
  })
})

describe('marks', () => {
  function define(more: object) {
    const schema = z.object({ id: z.string(), EntityType: z.enum(['Y']), Version: z.number() })
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
})

describe('key parts', () => {
  const rowKey = key`${'id:8'}`

  @Entity({ partitionKey: key`${'mail:hash'}`, rowKey })
  class OnlyHashed {
    id = 0
    declare mail: string
  }

  @Entity({ partitionKey: key`p`, rowKey })
  class Ignored {
    @Ignore() id = 0
  }

  @Entity({ partitionKey: key`p`, rowKey: key`e${'etag'}` })
  class KeyIsEtag {
    @ETag() etag!: string
  }

  @Entity({ partitionKey: key`p`, rowKey })
  class Namesake {
    id = 0
    @StoreAs('id') @Property() other = ''
  }

  @Entity({ partitionKey: key`${'mail:hash'}`, rowKey })
  class Hashed {
    id = 0
    @Property() mail!: string
  }

  describe('checkKeyParts', () => {
    it.each<[EntityClass<object>, RegExp]>([
      [OnlyHashed, /^OnlyHashed.mail: The key contains only its hash.*@Property\(\)/],
      [Ignored, /^Ignored.id: .*Remove @Ignore\(\)/],
      [KeyIsEtag, /^KeyIsEtag.etag: .*also shows the ETag.*in a property of its own/],
      [Namesake, /^Namesake.id: .*other is stored as 'id'/],
    ])('rejects %o', (entityClass, message) => {
      expect(() => modelOf(entityClass)).toThrow(ModelError)
      expect(() => modelOf(entityClass)).toThrow(message)
    })

    it('accepts a hashed part that is also stored', () => {
      expect(modelOf(Hashed).columns.map(({ name }) => name)).toEqual(['mail'])
    })
  })
})

describe('secrets', () => {
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
})

describe('a later version', () => {
  const base = { name: 'notes', partitionKey: key`${'user'}`, rowKey: key`n_${'id'}` }
  const schema = z.object({
    user: z.string(),
    id: z.string(),
    until: z.date().optional(),
    gone: z.date().optional(),
  })
  /** Declares a version with some options, and the next one with others. */
  function declare(before: object, after: object): EntityModel<object> {
    const previous = defineEntity({ ...base, schema, ...before })
    const migrate = (note: object) => note as never
    return defineEntity({ ...base, schema, version: 2, previous, migrate, ...after })
  }

  it('rejects a discriminator that rows of the earlier version do not have', () => {
    const discriminator = { type: 'note' }
    const problem =
      /^notes: Its discriminator is \{ type: 'note' \}, which rows of notes do not have/
    expect(() => declare({}, { discriminator })).toThrow(problem)
    expect(() => declare({ discriminator: { type: 'memo' } }, { discriminator })).toThrow(problem)
    expect(() => declare({ discriminator }, { discriminator })).not.toThrow()
    expect(() => declare({ discriminator }, {})).not.toThrow()
  })

  it('rejects a lifetime that would show the hidden rows of the earlier version', () => {
    const both = { lifetime: lifetime({ expiresAt: 'until', deletedAt: 'gone' }) }
    const one = { lifetime: lifetime({ deletedAt: 'gone' }) }
    expect(() => declare(both, one)).toThrow(/^notes: Rows of notes that 'until' hides/)
    expect(() => declare(both, { ...both, storeAs: { gone: 'deleted' } })).toThrow(/'gone' hides/)
    expect(() => declare(one, both)).not.toThrow()
  })

  it('rejects a template that no key of the earlier version has', () => {
    const problem = /^notes: Its rowKey begins with 'x_', and that of notes with 'n_'/
    expect(() => declare({}, { rowKey: key`x_${'id'}` })).toThrow(problem)
    expect(() => declare({}, { rowKey: key`n_1${'id'}` })).not.toThrow()
  })
})

describe('a strict model', () => {
  it('rejects a member whose stored type only its value tells', () => {
    @Entity({ name: 'people', strict: true })
    class Open {
      @PartitionKey() team = ''
      @RowKey() id = ''
      @Property('Int32') age = 0
      nick = ''
    }
    expect(() => modelOf(Open)).toThrow(
      /^Open\.nick: The model is strict, and the stored type of this property is unknown.*@Property\('String'\)/,
    )
    class Inherits extends Open {}
    expect(() => modelOf(Inherits)).toThrow(/Inherits\.nick: The model is strict/)
  })

  it('takes declared types', () => {
    @Entity({ name: 'people', strict: true })
    class Typed {
      @PartitionKey() team = ''
      @RowKey() id = ''
      @Property('Double') rate = 0
      @Property('String') nick?: string
    }
    expect(modelOf(Typed).columns.map(({ type }) => type)).toEqual(['Double', 'String'])
    const answer = { name: 'people', strict: 'yes' as never }
    expect(() => Entity(answer)).toThrow(/strict/)
  })
})

describe('a PartitionKey that is only a time', () => {
  const schema = z.object({ at: z.date(), day: z.date(), tenant: z.string(), id: z.string() })
  const log = (partitionKey: KeyCodec, allowHotPartition?: boolean) =>
    defineEntity({
      name: 'logs',
      partitionKey: partitionKey as never,
      rowKey: key`${'id'}`,
      schema,
      allowHotPartition,
    })

  it.each([
    ['rising', key`${'at:time'}`],
    ['falling', key`${'at:inverted'}`],
    ['two times with text around them', key`d${'day:time'}_${'at:inverted'}`],
  ])('is rejected alike: %s', (_, partitionKey) => {
    expect(() => log(partitionKey)).toThrow(
      expect.objectContaining({
        name: 'ModelError',
        message: expect.stringMatching(
          /only a time.*inverted time does not help.*allowHotPartition/,
        ),
      }),
    )
    expect(() => log(partitionKey, true)).not.toThrow()
  })

  it.each([key`${'tenant'}_${'day:date'}`, key`${'day:date'}`, key`logs`])(
    'is fine with what varies, or without a time: %s',
    (partitionKey) => {
      expect(() => log(partitionKey)).not.toThrow()
    },
  )

  it('is rejected in a class, too', () => {
    const options = { name: 'logs', partitionKey: key`${'at:inverted'}`, rowKey: key`${'id'}` }
    class Log {
      at = new Date(0)
      id = ''
    }
    Entity(options)(Log as never)
    expect(() => modelOf(Log)).toThrow(/only a time/)
    class Permitted {
      at = new Date(0)
      id = ''
    }
    Entity({ ...options, allowHotPartition: true })(Permitted as never)
    expect(() => modelOf(Permitted)).not.toThrow()
  })
})
