import type { KeyCodec, KeyProblem } from '@rowkey/mapper'

/** The values that a key template is made of. */
export type ValuesOf<Template> = Template extends KeyCodec<infer Values> ? Values : object

/** Why a template does not fit the entities; `unknown` when it does, and for a template whose properties the compiler does not know. */
export type TemplateProblem<Values, Entity> = string extends keyof Values
  ? unknown
  : [KeyProblem<Values, Present<Entity>, 'class'>] extends [never]
    ? unknown
    : KeyProblem<Values, Present<Entity>, 'class'>

/** The properties of an entity that has all of them. */
type Present<Entity> = { [Name in keyof Entity]-?: NonNullable<Entity[Name]> }
