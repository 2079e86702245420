import {
  defineEntity,
  Entity,
  type EntityOf,
  key,
  PartitionKey,
  Property,
  RowKey,
} from '@rowkey/mapper'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'

const keys = { partitionKey: key`${'team'}`, rowKey: key`${'id'}` }
const parts = { team: z.string(), id: z.string() }
const laterPerson = z.object({ ...parts, fullName: z.string(), nick: z.string().optional() })

// Each version names the other one.
const V1 = defineEntity({
  name: 'people',
  ...keys,
  schema: z.object({ ...parts, name: z.string() }),
  version: 1,
  next: () => V2,
  migrateBack: ({ team, id, fullName }: z.output<typeof laterPerson>) => ({
    team,
    id,
    name: fullName.trim(),
  }),
})

const V2 = defineEntity({
  name: 'people',
  ...keys,
  schema: laterPerson,
  version: 2,
  previous: V1,
  migrate: ({ team, id, name }) => ({ team, id, fullName: name.trim() }),
})

expectTypeOf<EntityOf<typeof V1>>().toEqualTypeOf<{ team: string; id: string; name: string }>()
expectTypeOf<EntityOf<typeof V2>['nick']>().toEqualTypeOf<string | undefined>()

// A function of its own can take the type of the later model.
const W1 = defineEntity({
  name: 'people',
  ...keys,
  schema: z.object({ ...parts, name: z.string() }),
  version: 1,
  next: () => W2,
  migrateBack,
})

const W2 = defineEntity({
  name: 'people',
  ...keys,
  schema: laterPerson,
  version: 2,
  previous: W1,
  // @ts-expect-error the earlier version lacks the property
  migrate: ({ team, id, missing }) => ({ team, id, fullName: missing }),
})

function migrateBack({ team, id, fullName }: EntityOf<typeof W2>): EntityOf<typeof W1> {
  return { team, id, name: fullName }
}

@Entity({
  name: 'people',
  version: 1,
  next: () => PersonV2,
  migrateBack: ({ team, id, fullName }) =>
    Object.assign(new PersonV1(), { team, id, name: fullName.trim() }),
})
class PersonV1 {
  @PartitionKey() team!: string
  @RowKey() id!: string
  @Property() name?: string
}

@Entity({
  name: 'people',
  version: 2,
  previous: PersonV1,
  migrate: ({ team, id, name }) => Object.assign(new PersonV2(), { team, id, fullName: name }),
})
class PersonV2 {
  @PartitionKey() team!: string
  @RowKey() id!: string
  @Property() fullName!: string
}

@Entity({
  name: 'people',
  version: 1,
  next: () => PersonV2,
  // @ts-expect-error the next version lacks the property
  migrateBack: ({ missing }) => Object.assign(new Untyped(), { name: missing }),
})
export class Untyped {
  @PartitionKey() team!: string
  @RowKey() id!: string
}
