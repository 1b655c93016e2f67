# A pipeline of Stet from Terraform: CloudFormation makes the custom resource, Terraform keeps the stack.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "name" {
  type        = string
  description = "Name of the pipeline; another name is another pipeline."
  default     = "devices"
}

variable "source_uri" {
  type    = string
  default = "s3://devices/raw/"
}

variable "sink_uri" {
  type    = string
  default = "s3://lake/landing"
}

variable "stet_stack" {
  type        = string
  description = "Name of the deployed stack of Stet (its context stackName)."
  default     = "Stet"
}

resource "aws_cloudformation_stack" "pipeline" {
  # Names of stacks have letters, digits and dashes only.
  name = "stet-pipeline-${replace(var.name, "/[^A-Za-z0-9]/", "-")}"

  template_body = jsonencode({
    AWSTemplateFormatVersion = "2010-09-09"
    Resources = {
      Pipeline = {
        Type = "Custom::EltPipeline"
        Properties = {
          ServiceTimeout = 600
          ServiceToken = { "Fn::ImportValue" = "${var.stet_stack}EltPipelineServiceToken" }
          name         = var.name
          source       = var.source_uri
          sink         = var.sink_uri
          transform = {
            namespaceFields      = "event_type"
            batchPartitionFields = "detail.tenant_id,truck.tenant_id"
            partitionName        = "tenant_id"
            batchTimeFields      = "time,system_datetime,date"
            timePartitionPrefix  = "p_"
          }
        }
      }
    }
    Outputs = {
      Revision = { Value = { "Fn::GetAtt" = ["Pipeline", "revision"] } }
    }
  })
}

output "revision" {
  value = aws_cloudformation_stack.pipeline.outputs["Revision"]
}
