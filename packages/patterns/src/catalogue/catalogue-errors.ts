import { patternsInputError } from '../errors/codes.ts'

/** An index or a summary, for messages. */
interface NamedIndex {
  readonly kind: 'index' | 'summary'
  readonly name: string
  readonly model: { readonly title: string }
}

/** What the catalogue calls an index. */
interface NamedPlace {
  readonly place: string
}

/** Makes the error of a program whose index or summary is kept by another declaration. */
export function differs(
  table: string,
  { kind, name, model: { title } }: NamedIndex,
  { state }: { readonly state: string },
): Error {
  const isIndex = kind === 'index'
  const parts = isIndex
    ? 'its key, project, unique, where, revision, table'
    : 'its key, sums, where, spread, revision'
  return patternsInputError({
    code: isIndex ? 'IndexDeclarationDiffers' : 'SummaryDiffers',
    message:
      `${isIndex ? 'Index' : 'Summary'} ${name} of ${title} is kept in table ${table} by another declaration (it is ${state}): ${parts} or the version of the model differs. ` +
      `A write by this program would leave its rows stale, so nothing was written. If this declaration is the new one, call ensure() of the ${isIndex ? 'indexes' : 'summaries'} once: it builds the ${kind} anew, and programs with the old declaration are rejected from then on. ` +
      `If both must work side by side, give the changed ${kind} another ${isIndex ? 'name' : 'rowKey beginning'}, or declare sameSince when only the version differs.`,
  })
}

/** Makes the error of a table whose entries could have the keys of others in a third table. */
export function sharedTable(
  { name: source }: { readonly name: string },
  row: NamedPlace,
  table: string,
  rival: NamedPlace,
): Error {
  return patternsInputError({
    code: 'IndexKeysShared',
    message: `Entries of ${row.place} of table ${source} and of ${rival.place} could have the same keys in table ${table}. Choose another beginning, or another table for the entries.`,
  })
}
