import { expect, it } from 'vitest';
import { linesIn, readAll } from '../../../../test/support/readings.ts';
import { awsClients } from './aws-clients.ts';

const modules = ['aws:sqs', 'aws:s3', 'aws:dynamodb', 'aws:ses', 'aws:cognito-idp', 'aws:events', 'firebase/auth'];
const read = async (path: string, text: string): Promise<readonly string[]> =>
  linesIn(await readAll([awsClients], path, text, { modules }));

it.each([
  ['app/jobs.py', 'import boto3\nsqs = boto3.client("sqs")\ns = session.resource(service_name=\'s3\')', ['aws:sqs:2', 'aws:s3:3']],
  ['app/auth.py', 'import boto3\nidp = boto3.client("cognito-idp", region_name=region)', ['aws:cognito-idp:2']],
  ['app/none.py', 'import boto3\n# boto3.client("sqs")\nboto3.client("polly")', []],
  ['app/other.py', 'import docker\nc = docker.client("sqs")', []],
  [
    'src/mail.ts',
    "import AWS from 'aws-sdk';\nconst ses = new AWS.SES();\nconst db = new AWS.DynamoDB.DocumentClient();",
    ['aws:ses:2', 'aws:dynamodb:3'],
  ],
  ['src/q.js', "const SQS = require('aws-sdk/clients/sqs');\n// new AWS.S3()", ['aws:sqs:1']],
  ['src/new.ts', 'const s3 = new AWS.S3();', []],
  ['lib/files.rb', 'Aws::S3::Resource.new\nAws::Credentials.new(key, secret)\nAws::SESV2::Client.new', ['aws:s3:1', 'aws:ses:3']],
  ['main.go', 'import (\n\t"github.com/aws/aws-sdk-go/service/eventbridge"\n)', ['aws:events:2']],
  [
    'app/Files.php',
    '<?php\nuse Aws\\S3\\S3Client;\nuse Aws\\CognitoIdentityProvider\\CognitoIdentityProviderClient;',
    ['aws:s3:2', 'aws:cognito-idp:3'],
  ],
  [
    'src/Db.java',
    'import com.amazonaws.services.dynamodbv2.AmazonDynamoDB;\nimport software.amazon.awssdk.services.sqs.SqsClient;',
    ['aws:dynamodb:1', 'aws:sqs:2'],
  ],
])('%s names the services that its clients are for', async (path, text, expected) => {
  expect(await read(path, text)).toEqual(expected);
});

it('tests of the app say nothing of the app that runs', async () => {
  const [reading] = await readAll([awsClients], 'tests/test_jobs.py', 'import boto3\nboto3.client("sqs")', { modules });
  expect(reading?.facts).toMatchObject([{ name: 'aws:sqs', use: 'develop' }]);
});
