import * as algorithms from '../../../../packages/mapper/src/web/crypto/algorithms.ts'
import { describeAlgorithms } from '../../crypto/describe-algorithms.ts'

describeAlgorithms('the algorithms of browsers', algorithms)
