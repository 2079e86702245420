import { cliInputError } from '../errors/codes.ts'
import { jsonIn, readIfExists, replaceFile } from '../shell/files.ts'

/** What a position belongs to: the options of the command that must be the same when it goes on. */
export type ResumeSubject = Readonly<Record<string, unknown>>

/**
 * Reads the position of an interrupted command.
 *
 * @param path - the file
 * @param subject - the command and its options
 * @param isPosition - tells whether a value is a position of this command
 * @returns `undefined` when the file does not exist
 * @throws InputError with the code `ResumeMismatch` when the file belongs to other options, or is not a position
 */
export async function readPosition<Position>(
  path: string,
  subject: ResumeSubject,
  isPosition: (value: unknown) => value is Position,
): Promise<Position | undefined> {
  const text = await readIfExists(path)
  if (text === undefined) return undefined
  const { position, ...stored }: { readonly position?: unknown } = Object(jsonIn(text))
  if (!isPosition(position)) {
    throw cliInputError(
      'ResumeMismatch',
      `${path} is not the position of a command. Give another --resume-file, or delete the file to begin anew.`,
    )
  }
  if (JSON.stringify(stored) === JSON.stringify(subject)) return position
  throw cliInputError(
    'ResumeMismatch',
    `${path} is the position of another command: ${JSON.stringify(stored)}. Run that command again to finish it, or delete the file to begin anew.`,
  )
}

/**
 * Writes the position of a command, so that it survives a crash of the machine. A crash leaves the earlier position or this one.
 *
 * @param path - the file
 * @param subject - the command and its options
 * @param position - plain JSON
 * @throws InputError with the code `InvalidArgument` for a folder that cannot be written, when the command has `--resume-file`
 */
export async function writePosition(
  path: string,
  subject: ResumeSubject,
  position: object,
): Promise<void> {
  try {
    await replaceFile(path, JSON.stringify({ ...subject, position }))
  } catch (error) {
    const { code }: { code?: string } = Object(error)
    if (!UNWRITABLE.has(code) || !HAS_OPTION.has(subject.command)) throw error
    throw cliInputError(
      'InvalidArgument',
      `The position cannot be kept in ${path} (${code}). Give --resume-file with a file in another folder.`,
      error,
    )
  }
}

/** Errors of a folder that the user may not write to. */
const UNWRITABLE: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])
const HAS_OPTION: ReadonlySet<unknown> = new Set(['import', 'copy', 'delete', 'set'])
