import * as algorithms from '../../../packages/mapper/src/crypto/algorithms.ts'
import { describeAlgorithms } from './describe-algorithms.ts'

describeAlgorithms('node:crypto', algorithms)
