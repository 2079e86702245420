import type { EdmType } from '@rowkey/odata'
import { counted } from '../output/progress.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { enumValues } from './enum-values.ts'
import { className, memberNames } from './member-names.ts'
import type { KeyShape, PropertyProfile, RowProfile } from './row-profile.ts'

/** The TypeScript type of each Edm type. */
const TYPES: { readonly [Type in EdmType]: string } = {
  Binary: 'Uint8Array',
  Boolean: 'boolean',
  DateTime: 'Date',
  Double: 'number',
  Guid: 'string',
  Int32: 'number',
  Int64: 'bigint',
  String: 'string',
}

/** One type of rows. */
export interface TypeProfile {
  /** The value of the discriminator; absent when the table has one type. */
  readonly value?: string
  readonly profile: RowProfile
}

/** What a model is written from. */
export interface ModelSource {
  /** The table. */
  readonly table: string
  /** What was read: one sentence for the first line. */
  readonly coverage: string
  /** The property that tells the types of rows. */
  readonly discriminator?: string | undefined
  readonly types: readonly TypeProfile[]
  /** Whether stored values may stand in the model. */
  readonly showsValues: boolean
}

/**
 * Writes classes that read every row of the profiles.
 *
 * @returns TypeScript
 */
export function writeModel(source: ModelSource): string {
  const used = new Set([
    'Entity',
    'ETag',
    'PartitionKey',
    'Property',
    'RowKey',
    'StoreAs',
    'Timestamp',
    'Date',
    'Uint8Array',
  ])
  const classes = source.types.map((type) => ({
    type,
    name: className(type.value ?? source.table, used),
  }))
  const isUnion = source.discriminator !== undefined
  const bodies = classes.map(({ type, name }) => classText(source, type, name))
  const names = ['Entity', 'ETag', 'PartitionKey', 'Property', 'RowKey', 'StoreAs', 'Timestamp']
  const imported = names.filter((name) => bodies.some((body) => body.includes(`@${name}(`)))
  return [
    `// ${remark(source.coverage)}`,
    `// Written by rowkey pull. Types are those of the stored values; enums, keys and discriminators are guesses.`,
    `import { ${[...imported, ...(isUnion ? ['union'] : [])].join(', ')} } from 'rowkey'`,
    '',
    ...bodies,
    ...(isUnion
      ? [
          `/** Rows of several types: account.table(${quoted(source.table)}, rows) */`,
          `export const rows = union(${classes.map(({ name }) => name).join(', ')})`,
          '',
        ]
      : []),
  ].join('\n')
}

function classText(source: ModelSource, { value, profile }: TypeProfile, name: string): string {
  const { discriminator, table, showsValues } = source
  const properties = [...profile.properties].filter(([property]) => property !== discriminator)
  const members = memberNames(properties.map(([property]) => property))
  const options =
    discriminator === undefined || value === undefined
      ? quoted(table)
      : `{ name: ${quoted(table)}, discriminator: { ${quoted(discriminator)}: ${quoted(value)} } }`
  return [
    `@Entity(${options})`,
    `export class ${name} {`,
    `  // ${remark(keyRemark('PartitionKey', profile.partitionKeys))}`,
    `  @PartitionKey() partitionKey!: string`,
    `  // ${remark(keyRemark('RowKey', profile.rowKeys))}`,
    `  @RowKey() rowKey!: string`,
    ...properties.flatMap(([property, found]) =>
      memberLines({
        stored: property,
        member: members.get(property) ?? property,
        found,
        rows: profile.rows,
        showsValues,
      }),
    ),
    `  @ETag() etag?: string`,
    `  @Timestamp() timestamp?: Date`,
    '}',
    '',
  ].join('\n')
}

interface MemberSource {
  readonly stored: string
  readonly member: string
  readonly found: PropertyProfile
  readonly rows: number
  readonly showsValues: boolean
}

function memberLines({
  stored,
  member,
  found,
  rows,
  showsValues,
}: MemberSource): readonly string[] {
  const types = [...found.types].sort(([, one], [, other]) => other - one)
  const [[first] = ['String' as const]] = types
  const isMixed = types.length > 1
  const isOptional = found.count < rows
  const values = showsValues ? enumValues(found) : undefined
  const type =
    values?.map(quoted).join(' | ') ?? [...new Set(types.map(([each]) => TYPES[each]))].join(' | ')
  const remarks = [
    ...(isOptional ? [`in ${share(found.count, rows)} of the rows`] : []),
    ...(isMixed
      ? [
          `mixed: ${types.map(([each, count]) => `${each} ${share(count, found.count)}`).join(', ')}`,
        ]
      : []),
    ...(values === undefined
      ? []
      : [`enum: ${counted(values.length, 'value')} in ${counted(found.count, 'row')}`]),
  ]
  const storeAs = member === stored ? '' : `@StoreAs(${quoted(stored)}) `
  return [
    ...(remarks.length > 0 ? [`  // ${remark(remarks.join('; '))}`] : []),
    `  ${storeAs}@Property(${isMixed ? '' : quoted(first)}) ${member}${isOptional ? '?' : '!'}: ${type}`,
  ]
}

/** Says what keys have in common, as a template that could make them. */
/** An instant, or ticks that rise or fall. */
const TIME = /^(?:#4-#2-#2T#2:#2:#2(?:\.#\d+)?Z|#1[89])$/

function keyRemark(name: string, { start = '', form, forms }: KeyShape): string {
  if (forms === 0) return `${name}: no row was read`
  const digits = form?.match(/#\d+/g) ?? []
  if (form !== undefined && digits.length > 0) {
    const isHot = name === 'PartitionKey' && TIME.test(form)
    let part = 0
    const template = form.replace(/#(\d+)/g, (_, width) => `\${'part${++part}:${width}'}`)
    const hot = isHot ? ', which is only a time: all writes of a moment meet one partition' : ''
    return `${name} could be the template key\`${template}\`${hot}`
  }
  if (form !== undefined) return `${name} is always ${quoted(form)}`
  return start === ''
    ? `${name} has no common beginning`
    : `${name} always begins with ${quoted(start)}`
}

function share(count: number, all: number): string {
  const percent = (count / all) * 100
  return percent > 0 && percent < 1
    ? '< 1 %'
    : percent < 100 && percent > 99
      ? '> 99 %'
      : `${Math.round(percent)} %`
}

/** Text within quotes, without characters that a reader does not see. */
function quoted(text: string): string {
  const json = withoutControls(JSON.stringify(text))
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Text that ends no comment of one line. */
function remark(text: string): string {
  return withoutControls(text)
}
