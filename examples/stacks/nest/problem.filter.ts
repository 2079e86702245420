import { type ArgumentsHost, Catch, HttpException, Logger } from '@nestjs/common'
import { BaseExceptionFilter } from '@nestjs/core'
import { RowkeyError } from 'rowkey'
import { problemOf } from '../shared/problem-of.ts'

/** Responds with a problem to errors of the storage. */
@Catch(RowkeyError)
export class ProblemFilter extends BaseExceptionFilter {
  override catch(error: RowkeyError, host: ArgumentsHost): void {
    const problem = problemOf(error)
    if (problem.status >= 500) new Logger('Tables').error(error)
    super.catch(new HttpException(problem, problem.status), host)
  }
}
