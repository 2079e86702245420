import { defineEntity, key } from 'rowkey'
import { z } from 'zod'

const keys = { name: 'people', partitionKey: key`${'team'}`, rowKey: key`${'id'}` }
const parts = { team: z.string(), id: z.string() }
const laterPerson = z.object({ ...parts, fullName: z.string(), nick: z.string().optional() })

/** The old program's people. It reads those of the new program, too, so it is deployed first. */
export const Person = defineEntity({
  ...keys,
  schema: z.object({ ...parts, name: z.string() }),
  version: 1,
  next: () => Person2,
  migrateBack: ({ team, id, fullName }: z.output<typeof laterPerson>) => ({
    team,
    id,
    name: fullName,
  }),
})

/** The new program's people: `name` is now `fullName`, and there are nicknames. */
export const Person2 = defineEntity({
  ...keys,
  schema: laterPerson,
  version: 2,
  previous: Person,
  migrate: ({ team, id, name }) => ({ team, id, fullName: name }),
})
