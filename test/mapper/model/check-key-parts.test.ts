import {
  Entity,
  type EntityClass,
  ETag,
  Ignore,
  key,
  ModelError,
  modelOf,
  Property,
  StoreAs,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

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
    [KeyIsEtag, /^KeyIsEtag.etag: .*Keep one/],
    [Namesake, /^Namesake.id: .*other is stored as 'id'/],
  ])('rejects %o', (entityClass, message) => {
    expect(() => modelOf(entityClass)).toThrow(ModelError)
    expect(() => modelOf(entityClass)).toThrow(message)
  })

  it('accepts a hashed part that is also stored', () => {
    expect(modelOf(Hashed).columns.map(({ name }) => name)).toEqual(['mail'])
  })
})
